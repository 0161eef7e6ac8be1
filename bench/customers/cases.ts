// What a member and a program ask about customers and their messages, each time of another one: paths of pages and of the API.
import type { Pool } from '#lib/core/db/client.ts';
import { dayBefore } from '#lib/screens/report-types.ts';
import { REPORT_GROUPINGS } from '#lib/messaging/schema/report-groupings.ts';

export interface Case {
  name: string;
  /** The path of call number `call`; with `/api/` it is called with a key, else with a session. */
  path: (call: number) => string;
  /** Only the beginning is read. */
  isDownload?: boolean;
}

/** Some of the filled rows, to be asked about. */
export interface Samples {
  /** Of customers with a few messages. */
  small: Customer[];
  /** Of the customer with the most messages. */
  largest: Customer;
  sent: string[];
  received: string[];
  sendingId: string;
  /** Cursors of the largest customer's timeline, older and older. */
  cursors: string[];
}

interface Customer {
  id: string;
  number: string;
  userId: string;
}

const SAMPLES = 200;

/** Reads samples that are spread over the whole time. */
export async function readSamples(pool: Pool, workspaceId: string): Promise<Samples> {
  const ids = async (table: string, column: string, at: string): Promise<string[]> => {
    const { rows } = await pool.query<{ id: string }>(
      `select m.id from generate_series(1, ${SAMPLES}) n cross join lateral (
         select ${column} as id from ${table} where workspace_id = $1 and ${at} <= now() - make_interval(hours => n * 10)
         order by ${at} desc limit 1) m`,
      [workspaceId],
    );
    return rows.map(({ id }) => id);
  };
  const sent = await ids('sent_messages', 'message_id', 'created_at');
  const { rows: customers } = await pool.query<Customer & { messages: number }>(
    `select n.customer_id as id, n.name as number, 'US.1349' || n.name as "userId", (
       select count(*)::int from (select from sent_messages s where s.workspace_id = $1 and s.recipient = n.name limit 100) few) as messages
     from sent_messages m join customer_names n on n.workspace_id = $1 and n.name = m.recipient
     where m.workspace_id = $1 and m.message_id = any($2::text[])`,
    [workspaceId, sent],
  );
  const { rows: largest } = await pool.query<Customer>(
    `select customer_id as id, name as number, 'US.1349' || name as "userId" from customer_names
     where workspace_id = $1 and name = '4915100000000'`,
    [workspaceId],
  );
  const { rows: workflows } = await pool.query<{ id: string }>(
    `select workflow_id as id from sent_messages where workspace_id = $1 and message_id = $2`,
    [workspaceId, sent.find((_, index) => index > 0)],
  );
  return {
    small: customers.filter(({ messages }) => messages < 50),
    largest: largest[0] ?? { id: '', number: '', userId: '' },
    sent,
    received: await ids('received_messages', 'message_id', 'received_at'),
    sendingId: workflows[0]?.id ?? '',
    cursors: Array.from({ length: SAMPLES }, (_, place) =>
      Buffer.from(String(Date.now() - place * 36_000_000), 'latin1').toString('base64url'),
    ),
  };
}

const spaced = (number: string): string => `+${number.slice(0, 2)} ${number.slice(2, 5)} ${number.slice(5)}`;
const nationally = (number: string): string => `0${number.slice(2, 5)}/${number.slice(5)}`;

export function listCases(samples: Samples): Case[] {
  const { small, largest, sent, received, sendingId, cursors } = samples;
  const pick = <Item>(items: readonly Item[], call: number): Item => items[call % items.length] as Item;
  const customer = (call: number): Customer => pick(small, call);
  const query = (path: string, search: Record<string, string>): string =>
    `${path}?${new URLSearchParams(search).toString()}`;
  const both = (name: string, of: (call: number) => string): Case[] => [
    { name: `customers, ${name}`, path: (call) => query('/api/v1/customers', { search: of(call) }) },
    { name: `Ctrl+K, ${name}`, path: (call) => query('/customers/list', { text: of(call), limit: '5' }) },
  ];
  const ofCustomers = (name: string, of: (call: number) => Customer): Case[] => [
    { name: `${name}: page`, path: (call) => `/customers/${of(call).id}` },
    { name: `${name}: API`, path: (call) => `/api/v1/customers/${of(call).id}` },
    { name: `${name}: timeline, 100`, path: (call) => `/api/v1/customers/${of(call).id}/timeline?limit=100` },
    { name: `${name}: consent`, path: (call) => `/api/v1/customers/${of(call).id}/consent` },
    { name: `${name}: runs`, path: (call) => query('/api/v1/runs', { customer: of(call).id, limit: '100' }) },
    { name: `${name}: runs, screen`, path: (call) => query('/runs/list', { customer: of(call).id }) },
    {
      name: `${name}: failed runs`,
      path: (call) => query('/api/v1/runs', { customer: of(call).id, status: 'failed' }),
    },
    {
      name: `${name}: runs not delivered`,
      path: (call) => query('/api/v1/runs', { customer: of(call).id, delivery: 'undelivered' }),
    },
    {
      name: `${name}: runs of a workflow`,
      path: (call) => query('/api/v1/runs', { customer: of(call).id, workflow_id: sendingId }),
    },
    ...(['runs', 'events'] as const).flatMap((list): Case[] => [
      {
        name: `${name}: ${list} by number`,
        path: (call) => query(`/api/v1/${list}`, { search: spaced(of(call).number) }),
      },
      {
        name: `${name}: ${list} by number, screen`,
        path: (call) => query(`/${list}/list`, { text: of(call).number }),
      },
    ]),
  ];
  const texts = {
    'a frequent word': 'gift',
    'two words': 'gift wrapped',
    'a rare word': '',
    'no such word': 'nosuchword',
  };
  const today = Date.now();
  return [
    { name: 'customers', path: () => '/api/v1/customers?limit=100' },
    { name: 'customers: page', path: () => '/customers' },
    ...both('number', (call) => customer(call).number),
    ...both('number with + and spaces', (call) => spaced(customer(call).number)),
    ...both('number as dialed in the country', (call) => nationally(customer(call).number)),
    ...both('number with 00', (call) => `00${customer(call).number}`),
    ...both('beginning of a number', (call) => customer(call).number.slice(0, 9)),
    ...both('last four digits', (call) => customer(call).number.slice(-4)),
    ...both('user id', (call) => customer(call).userId),
    ...both('message id', (call) => pick(sent, call)),
    ...both('beginning of a name', (call) => pick(['anna', 'kim ro', 'Olga Novak', 'x'], call)),
    ...both('part of a name', (call) => pick(['miller', 'okaf', 'Weber', 'nobody'], call)),
    ...ofCustomers('small customer', customer),
    ...ofCustomers('largest customer', () => largest),
    {
      name: 'largest customer: older timeline',
      path: (call) =>
        query(`/api/v1/customers/${largest.id}/timeline`, { cursor: pick(cursors, call), limit: '100' }),
    },
    ...(['runs', 'events'] as const).flatMap((list): Case[] => [
      { name: list, path: () => `/api/v1/${list}?limit=100` },
      { name: `${list}: page`, path: () => `/${list}` },
      ...Object.entries(texts).map(([name, text]): Case => ({
        name: `${list}, ${name}`,
        path: (call) => query(`/api/v1/${list}`, { search: text || `A${1000 * (call + 1) + 7}` }),
      })),
    ]),
    { name: 'sent message: API', path: (call) => `/api/v1/messages/${pick(sent, call)}` },
    { name: 'sent message: page', path: (call) => `/messages/${pick(sent, call)}` },
    { name: 'received message: API', path: (call) => `/api/v1/messages/${pick(received, call)}` },
    { name: 'received message: page', path: (call) => `/messages/${pick(received, call)}` },
    ...REPORT_GROUPINGS.flatMap((by) =>
      [1, 7, 30, 90].map((days): Case => ({
        name: `report by ${by}, ${days} days`,
        path: () =>
          query('/api/v1/reports/delivery', {
            by,
            from: dayBefore(today, days - 1),
            to: dayBefore(today, 0),
          }),
      })),
    ),
    { name: 'report: page', path: () => '/reports' },
    {
      name: 'report: CSV',
      path: () => `/api/v1/reports/delivery.csv?by=template&from=${dayBefore(today, 89)}`,
    },
    ...(['messages', 'runs', 'events'] as const).map((kind): Case => ({
      name: `start of an export of ${kind}`,
      path: () => `/api/v1/export/${kind}?from=${dayBefore(today, 90)}`,
      isDownload: true,
    })),
  ];
}
