// What must hold after everything that went wrong, read from the database and the platform's own journal.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from './product.ts';
import type { Acknowledged } from './traffic.ts';

/** So long may runs take to end once nothing is wrong any more: heartbeats expire, retries and timers come. */
const PATIENCE_MS = 60_000;

export interface Verdict {
  acknowledged: number;
  /** Acknowledged webhooks without an event and a run. */
  lost: number;
  /** Events with several runs, and orders whose message was sent several times. */
  doubled: number;
  /** Runs that have not ended. */
  stuck: number;
  /** Task runs whose outcome is not known. */
  flagged: number;
  /** Messages and task runs that contradict each other. */
  contradicted: number;
  /** Runs that ended well. */
  succeeded: number;
  failed: number;
  messages: number;
}

/** What is read: the database, past all faults, and the platform. */
type Watched = Pick<Product, 'db' | 'call' | 'sandbox'>;

export async function check(product: Watched, acknowledged: readonly Acknowledged[]): Promise<Verdict> {
  const { $client: pool } = product.db;
  const count = async (sql: string, values: unknown[] = []): Promise<number> =>
    (await pool.query<{ count: number }>(`select count(*)::int as count from ${sql}`, values)).rows[0]
      ?.count ?? 0;
  const open = (): Promise<number> => count(`runs where status in ('queued', 'running', 'waiting')`);
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline && (await open()) > 0;)
    await sleep(250);
  const eventIds = acknowledged.map(({ eventId }) => eventId);
  const { data } = await product.call<{ data: { text: string }[] }>(
    'GET',
    `${product.sandbox.url}/__sandbox/messages?direction=out`,
  );
  const sent = new Map<string, number>();
  for (const { text } of data) {
    const order = /C-\d+/.exec(text)?.[0];
    if (order) sent.set(order, (sent.get(order) ?? 0) + 1);
  }
  return {
    acknowledged: acknowledged.length,
    lost: await count(
      `unnest($1::uuid[]) as a(id) left join events e using (id) left join runs r on r.event_id = e.id where r.id is null`,
      [eventIds],
    ),
    doubled:
      (await count('(select event_id from runs group by 1 having count(*) > 1) as several')) +
      [...sent.values()].filter((times) => times > 1).length,
    stuck: await open(),
    flagged: await count(`task_runs where status = 'outcome_unknown'`),
    contradicted: await countContradictions(product, sent),
    succeeded: await count(`runs where status = 'succeeded'`),
    failed: await count(`runs where status = 'failed'`),
    messages: data.length,
  };
}

/** A task that sent a message has succeeded or is flagged, and one that succeeded has sent one. */
async function countContradictions(product: Watched, sent: ReadonlyMap<string, number>): Promise<number> {
  const { rows } = await product.db.$client.query<{ order: string; status: string | null }>(
    `select convert_from(e.body, 'UTF8')::json ->> 'id' as order, t.status from runs r
     join events e on e.id = r.event_id
     left join task_runs t on t.run_id = r.id and t.task_id = 2
     where convert_from(e.body, 'UTF8')::json ->> 'id' like 'C-%'`,
  );
  return rows.filter(({ order, status }) =>
    sent.has(order) ? status !== 'succeeded' && status !== 'outcome_unknown' : status === 'succeeded',
  ).length;
}
