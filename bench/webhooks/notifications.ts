// Row (h) of bench/README.md: notifications of the messaging platform, with one change in a request and with a hundred.
import type { Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { ECHO } from '../workflows.ts';
import { fillBeside } from '../customers/fill-beside.ts';
import { insertConnection, subscribeToMessages } from './connection.ts';
import { type Cost, describeCost, measureCost } from './cost.ts';
import { type BenchDatabase, startBenchDatabase } from './database.ts';
import type { BenchOptions } from './options.ts';
import { prepareProduct } from './patchbay.ts';
import {
  ACCOUNT,
  APP_SECRET,
  PHONE,
  toMessageChange,
  toNotification,
  toStatusChange,
} from './platform-notification.ts';
import { WARM_UP_SHARE } from './sending.ts';
import type { Prepared } from '../http/client.ts';
import { postAll } from '../http/post-all.ts';

const KINDS = ['statuses', 'messages', 'subscribed'] as const;
type Kind = (typeof KINDS)[number];

/** Changes of a request, and how many requests are open at once. */
const SIZES = [
  { size: 1, connections: 32 },
  { size: 100, connections: 4 },
  /** As many as the platform puts into one: its time is that of the request. */
  { size: 1000, connections: 1 },
];
const CUSTOMERS = 1000;

export interface NotificationRow extends Cost {
  kind: Kind;
  /** Changes of a request. */
  size: number;
  changes: number;
  changesPerSecond: number;
  errors: number;
  /** Of a change. */
  eventRows: number;
  /** By which the tables of events, messages and received changes grow with a change, indexes included. */
  storedBytes: number;
}

/** Measures each kind and size once, on a separate database that counts statements. */
export async function measureNotifications(
  { notifications: count, filled }: BenchOptions,
  say: (line: string) => void,
): Promise<NotificationRow[]> {
  const database = await startBenchDatabase({ countsStatements: true });
  const product = await prepareProduct(database, { MESSAGING_APP_SECRET: APP_SECRET });
  try {
    const { pool } = database;
    const { workspaceId, workflowId } = await insertWorkflow(pool, ECHO);
    const { path, connectionId } = await insertConnection(pool, workspaceId);
    await insertCustomers(pool, workspaceId);
    await fillBeside(pool, { workspaceId, connectionId, workflowId, messages: filled, say });
    const web = await product.start('web');
    const worker = await product.start('worker');
    const measured = { database, url: web.base + path, pids: { web: web.pid, worker: worker.pid } };
    const rows: NotificationRow[] = [];
    for (const kind of KINDS) {
      if (kind === 'subscribed') await subscribeToMessages(pool, connectionId, workflowId);
      for (const size of SIZES) {
        const ids = newIds(count);
        if (kind === 'statuses') await insertMessages(pool, workspaceId, connectionId, ids);
        const row = await measure(measured, kind, makeRequests(kind, ids, size.size), size);
        say(describe(row));
        rows.push(row);
      }
    }
    return rows;
  } finally {
    await product.stop();
    await database.stop();
  }
}

interface Measured {
  database: BenchDatabase;
  url: string;
  pids: Record<string, number>;
}

async function measure(
  { database, url, pids }: Measured,
  kind: Kind,
  requests: Prepared[],
  { size, connections }: (typeof SIZES)[number],
): Promise<NotificationRow> {
  await postAll(url, requests.splice(0, Math.ceil(requests.length * WARM_UP_SHARE)), connections);
  await database.untilDrained();
  const { items, posted, left, stored, ...cost } = await measureCost(database, pids, async () => {
    const before = await readStored(database.pool);
    const sent = await postAll(url, requests, connections);
    const drained = await database.untilDrained();
    const after = await readStored(database.pool);
    const grown = { rows: after.rows - before.rows, bytes: after.bytes - before.bytes };
    return { items: sent.requests * size, posted: sent, left: drained.left, stored: grown };
  });
  return {
    kind,
    size,
    changes: items,
    changesPerSecond: items / posted.seconds,
    errors: posted.errors + left,
    eventRows: stored.rows / items,
    storedBytes: stored.bytes / items,
    ...cost,
  };
}

async function readStored(pool: Pool): Promise<{ rows: number; bytes: number }> {
  const { rows } = await pool.query<{ rows: number; bytes: number }>(
    `select (select count(*) from events)::int as rows,
       (select sum(pg_total_relation_size(name::regclass)) from unnest('{events,sent_messages,received_changes}'::text[]) as t(name))::float8
         as bytes`,
  );
  return rows[0] ?? { rows: 0, bytes: 0 };
}

const describe = ({
  kind,
  size,
  changes,
  changesPerSecond,
  errors,
  eventRows,
  storedBytes,
  ...cost
}: NotificationRow): string =>
  `${`(h) ${kind}, ${size} a request`.padEnd(56)} ${changesPerSecond.toFixed(0).padStart(7)} changes/s   ${describeCost(cost)} ` +
  `a change, ${eventRows.toFixed(2)} events and ${storedBytes.toFixed(0)} bytes (${changes} changes)${errors > 0 ? `  ERRORS ${errors}` : ''}`;

const customerOf = (place: number): string => String(15_550_000_000 + (place % CUSTOMERS));

const insertCustomers = (pool: Pool, workspaceId: string): Promise<unknown> =>
  pool.query(
    `insert into customer_names (workspace_id, name, customer_id, business_account_id)
     select $1, name, gen_random_uuid(), $2 from unnest($3::text[]) as known(name)`,
    [workspaceId, ACCOUNT, Array.from({ length: CUSTOMERS }, (_, place) => customerOf(place))],
  );

const newIds = (count: number): string[] => Array.from({ length: count }, () => `wamid.${newId()}`);

/** Messages as a run has sent them, one status each. */
async function insertMessages(
  pool: Pool,
  workspaceId: string,
  connectionId: string,
  ids: readonly string[],
): Promise<void> {
  await pool.query(
    `insert into sent_messages
       (workspace_id, message_id, connection_id, phone_number_id, recipient, kind, run_id, task_id, iteration, status, status_at, timeline)
     select $1, id, $2, $3, recipient, 'text', gen_random_uuid(), 2, '', 'accepted', now(), '[{"status":"accepted","at":"2026-01-01T00:00:00.000Z"}]'
     from unnest($4::text[], $5::text[]) as sent(id, recipient)`,
    [workspaceId, connectionId, PHONE, ids, ids.map((_, place) => customerOf(place))],
  );
}

/** Put together before the load, as the generator shares the cores with what is measured. */
function makeRequests(kind: Kind, ids: readonly string[], size: number): Prepared[] {
  const requests: Prepared[] = [];
  for (let start = 0; start < ids.length; start += size) {
    const changes = ids
      .slice(start, start + size)
      .map((id, place) => changeOf(kind, id, customerOf(start + place)));
    requests.push(toNotification(changes));
  }
  return requests;
}

const changeOf = (kind: Kind, id: string, customer: string): object =>
  kind === 'statuses'
    ? toStatusChange({ id, to: customer, phone: PHONE, status: 'delivered' })
    : toMessageChange(PHONE, id, customer);
