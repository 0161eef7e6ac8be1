// Fills a workspace with years of work in minutes: sent messages with their statuses, the customers who got them, what these wrote,
// and what is known of them. The rows have the columns that the product sets (fill.integration.test.ts compares them).
import { statfsSync } from 'node:fs';
import type { Pool } from '#lib/core/db/client.ts';
import { withoutIndexes } from './without-indexes.ts';

export interface FillOptions {
  workspaceId: string;
  connectionId: string;
  businessAccountId: string;
  phoneNumberIds: readonly string[];
  /** Workflows that send templates after a webhook. */
  sendingIds: readonly string[];
  /** The workflow that answers customers. */
  answeringId: string;
  /** A tenth as many customers, and a fifth as many messages of customers. */
  messages: number;
  /** Without events, runs and tasks: for measurements that wait until all runs have ended. */
  hasRuns: boolean;
  say: (line: string) => void;
}

/** As long as retention keeps messages by default. */
const DAYS = 90;
/** As long as the keys of notifications are kept. */
const KEPT_CHANGES_DAYS = 14;
/** The share of messages whose runs are not removed yet. */
const SHARE_WITH_RUNS = 0.1;
const CHUNK = 500_000;
const LEAST_FREE_BYTES = 10 * 1024 ** 3;

/** In the order of their statements. */
export const FILLED_TABLES = [
  'sent_messages',
  'received_messages',
  'received_words',
  'received_changes',
  'customer_names',
  'customer_attributes',
  'attribute_changes',
  'customer_consents',
  'consent_changes',
  'conversation_windows',
  'events',
  'runs',
  'task_runs',
  'undelivered_runs',
  'business_initiated_messages',
];

/** Of the number `n` of a message: three of 1,000 go to one customer, one of 50 to 19 others, a tenth to each hundredth. */
const customerOfMessage = (n: string, customers: number): string => {
  const [large, frequent] = [
    Math.max(2, Math.floor(customers / 50_000)),
    Math.max(3, Math.floor(customers / 100)),
  ];
  const first = large + frequent;
  return `(case when ${n} % 1000 < 3 then 0 when ${n} % 50 = 7 then 1 + (${n} / 50) % ${large - 1}
    when ${n} % 10 = 3 then ${large} + (${n} / 10) % ${frequent} else ${first} + (${n} * 7919) % ${customers - first} end)`;
};

/** Of customer number `k`: numbers are spread, so that no order of them is that of time. */
const numberOf = (k: string): string => `(4915100000000 + (${k} * 7368787) % 100000000)::text`;
const wroteOf = (k: string): string => `(${k} % 2 = 0)`;
const idAt = (at: string, digit: number, n: string): string =>
  `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7000800${digit}' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const messageId = (kind: string, n: string): string =>
  `'wamid.HQU' || translate(encode(decode(md5('${kind}' || ${n}), 'hex'), 'base64'), '+/=', 'xy')`;
/** Times of the platform are seconds. */
const isoSeconds = (at: string): string =>
  `to_char((${at}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`;
const isoMs = (at: string): string => `to_char((${at}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const WORDS =
  `array['please','order','delivery','thanks','when','where','gift','wrapped','address','change','invoice','table','tomorrow','today',` +
  `'evening','refund','size','color','parcel','broken','late','open','closed','price','discount','question','help','yes','no','cancel',` +
  `'book','reservation']`;
const FIRST_NAMES = `array['Anna','Kim','Mehmet','Olga','Jonas','Mia','Paul','Lena','Ali','Sofia','Noah','Emma','Ben','Luca','Marta','Ivan','Zoe','Tom']`;
const LAST_NAMES = `array['Example','Miller','Kaya','Novak','Rossi','Garcia','Weber','Silva','Jensen','Ito','Brown','Okafor','Dubois','Popov']`;

/** Fills the workspace. @throws Error when the disk would have less than 10 GB left */
export async function fill(pool: Pool, options: FillOptions): Promise<void> {
  const { messages, say } = options;
  const since = performance.now();
  const step = async (name: string, statement: string, count?: number): Promise<void> => {
    const startedAt = performance.now();
    if (count === undefined) await pool.query(statement);
    else
      for (let first = 1; first <= count; first += 2 * CHUNK) {
        assertSpace();
        await Promise.all(
          [first, first + CHUNK].map((start) =>
            pool.query(statement, [start, Math.min(start + CHUNK - 1, count)]),
          ),
        );
      }
    say(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  };
  // What the workspace got in the last minutes is not the fill's.
  const { rows } = await pool.query<{ end: Date }>(`select now() - interval '5 minutes' as "end"`);
  await withoutIndexes(pool, FILLED_TABLES, async () => {
    for (const [name, statement, count] of statementsOf(options, rows[0]?.end ?? new Date()))
      await step(name, statement, count);
  });
  await step('statistics', 'vacuum analyze');
  say(`${messages} messages in ${((performance.now() - since) / 60_000).toFixed(1)} minutes`);
}

/** @throws Error when the disk of temporary databases has less than 10 GB left */
export function assertSpace(): void {
  const { bavail, bsize } = statfsSync('/tmp');
  if (bavail * bsize < LEAST_FREE_BYTES) throw new Error('The disk would have less than 10 GB left.');
}

type Statement = [name: string, statement: string, count?: number];

function statementsOf(options: FillOptions, end: Date): Statement[] {
  const { messages, hasRuns } = options;
  const customers = Math.floor(messages / 10);
  const received = Math.floor(messages / 5);
  const withRuns = Math.floor(messages * SHARE_WITH_RUNS);
  const from = { ...options, customers, end: `timestamptz '${end.toISOString()}'` };
  return [
    ['customers', customerNames(from), customers],
    ['sent messages', sentMessages(from), messages],
    ['received messages', receivedMessages(from), received],
    ['words', receivedWords(from), received],
    ['windows', conversationWindows(from)],
    ['keys of notifications', receivedChanges(from), Math.floor((messages * KEPT_CHANGES_DAYS) / DAYS)],
    ...knownOfCustomers(from).map(([name, statement]): Statement => [name, statement, customers]),
    ['templates of the last day', businessInitiated(from)],
    ...(hasRuns
      ? ([
          ['events of messages', eventsOfReceived(from), received],
          ['runs of messages', runsOfReceived(from), Math.floor(received * SHARE_WITH_RUNS)],
          ['events of webhooks', eventsOfWebhooks(from), withRuns],
          ['runs of webhooks', runsOfWebhooks(from), withRuns],
          ['tasks', taskRuns(from)],
          ['runs not delivered', undeliveredRuns(from)],
        ] satisfies Statement[])
      : []),
  ];
}

interface Filling extends FillOptions {
  customers: number;
  /** SQL: when the last message was sent. */
  end: string;
}

const oneOf = (values: readonly string[], n: string, type: string): string =>
  `(array[${values.map((value) => `'${value}'`).join()}]::${type}[])[1 + ${n} % ${values.length}]`;

/** SQL: when message `n` was sent. */
const sentAt = ({ end, messages }: Filling, n = 'n'): string =>
  `${end} - make_interval(secs => (${messages} - ${n}) * ${(DAYS * 86_400) / messages}::float8)`;
/** The message that received message `r` follows: of each kind of customer. */
const followed = `(5 * r + (r / 10) % 5)`;
const receivedAt = (filling: Filling): string =>
  `least(${sentAt(filling, followed)} + make_interval(secs => (${followed} % 5400)::float8 + 20), ${filling.end})`;

/** A number is learned with the first message, a user id with the first status. */
const customerNames = ({ workspaceId, businessAccountId, end }: Filling): string => `
insert into customer_names (workspace_id, name, customer_id, business_account_id, learned_at, seen_at, profile_name)
select '${workspaceId}', named.name, ${idAt(`${end} - interval '${DAYS} days'`, 3, 'k')}, named.account, ${end} - interval '${DAYS} days',
  ${end} - make_interval(secs => ((k * 104729) % 1728000)::float8),
  case when ${wroteOf('k')} then (${FIRST_NAMES})[1 + k % 18] || ' ' || (${LAST_NAMES})[1 + (k / 18) % 14] end
from generate_series($1::bigint - 1, $2::bigint - 1) k
cross join lateral (values (${numberOf('k')}, ''), ('US.1349' || ${numberOf('k')}, '${businessAccountId}')) as named(name, account)`;

const step = (status: string, at: string): string =>
  `'{"at":"' || ${isoSeconds(at)} || '","status":"${status}","pricing":' || pricing || '}'`;

/** Of 100: 4 failed, 60 were read, 30 delivered, 4 sent, and of 2 nothing was reported. A tenth of the templates were answered. */
function sentMessages(filling: Filling): string {
  const { workspaceId, connectionId, phoneNumberIds, sendingIds, answeringId, customers } = filling;
  return `
insert into sent_messages (workspace_id, message_id, connection_id, phone_number_id, recipient, kind, template_name, run_id, workflow_id,
  task_id, iteration, status, status_at, errors, timeline, created_at, answered_at)
select '${workspaceId}', ${messageId('sent', 'n')}, '${connectionId}', ${oneOf(phoneNumberIds, 'n', 'text')},
  ${numberOf(customerOfMessage('n', customers))}, kind, case when kind = 'template' then 'template_' || n % 40 end, ${idAt('at', 1, 'n')},
  case when kind = 'template' then ${oneOf(sendingIds, '(n / 7)', 'uuid')} else '${answeringId}' end, 2, '', status,
  date_trunc('second', at) + interval '2 seconds',
  case when status = 'failed' then json_build_array(json_build_object('code', code, 'title', 'Message undeliverable', 'message', 'Message undeliverable')) end,
  ('[{"at":"' || ${isoMs('at')} || '","status":"accepted"}' ||
    case when status in ('sent', 'delivered', 'read') then ',' || ${step('sent', 'at')} else '' end ||
    case when status in ('delivered', 'read') then ',' || ${step('delivered', `at + interval '1 second'`)} else '' end ||
    case when status = 'read' then ',' || ${step('read', `at + interval '2 seconds'`)} else '' end ||
    case when status = 'failed' then ',{"at":"' || ${isoSeconds('at')} || '","status":"failed","errors":[{"code":' || code ||
      ',"title":"Message undeliverable","message":"Message undeliverable"}]}' else '' end || ']')::json,
  at, case when kind = 'template' and status = 'read' and n % 10 = 0 then at + make_interval(secs => (n % 5400)::float8 + 20) end
from generate_series($1::bigint, $2::bigint) n
cross join lateral (select ${sentAt(filling)} as at, case when n % 5 < 4 then 'template' else 'text' end as kind,
  case when (n * 31) % 100 < 4 then 'failed' when (n * 31) % 100 < 64 then 'read' when (n * 31) % 100 < 94 then 'delivered'
    when (n * 31) % 100 < 98 then 'sent' else 'accepted' end as status,
  case when n % 3 = 0 then 131026 else 131049 end as code,
  case when n % 5 = 4 then '{"type":"free_customer_service","category":"service"}'
    when n % 40 < 20 then '{"type":"regular","category":"marketing"}' else '{"type":"regular","category":"utility"}' end as pricing) of_message`;
}

const textOf = `(select string_agg((${WORDS})[1 + ((r * 2654435761 + i * 40503) >> 7) % 32], ' ' order by i) from generate_series(1, 4 + r % 6) i)
  || ' A' || r`;

const fromReceived = (filling: Filling, columns: string): string => `
from generate_series($1::bigint, $2::bigint) r
cross join lateral (select ${receivedAt(filling)} as at, ${customerOfMessage(followed, filling.customers)} as k) of_message
cross join lateral (select ${idAt('at', 4, 'r')} as event_id, ${idAt('at', 5, 'r')} as run_id, ${numberOf('k')} as number) named
${columns}`;

const receivedMessages = (filling: Filling): string => `
insert into received_messages (workspace_id, message_id, event_id, customer, phone_number_id, type, run_id, received_at)
select '${filling.workspaceId}', ${messageId('received', 'r')}, event_id, number, ${oneOf(filling.phoneNumberIds, followed, 'text')}, 'text', run_id, at
${fromReceived(filling, '')}`;

const receivedWords = (filling: Filling): string => `
insert into received_words (event_id, workspace_id, words)
select event_id, '${filling.workspaceId}', array(
  select '${filling.workspaceId.slice(-6)}.' || floor(extract(epoch from at) / 604800) || '.' || word
  from (select word, min(place) as place from unnest(string_to_array(lower(${textOf}), ' ')) with ordinality as w(word, place) group by word) d
  order by place)
${fromReceived(filling, '')}`;

const conversationWindows = ({ workspaceId, end }: Filling): string => `
insert into conversation_windows (workspace_id, phone_number_id, customer, last_message_at, last_message_id)
select distinct on (phone_number_id, customer) workspace_id, phone_number_id, customer, date_trunc('second', received_at), message_id
from received_messages where workspace_id = '${workspaceId}' and received_at <= ${end} order by phone_number_id, customer, received_at desc`;

const receivedChanges = (filling: Filling): string => `
insert into received_changes (connection_id, change_key, received_at)
select '${filling.connectionId}', 'status:' || ${messageId('sent', 'm')} || ':' || status, ${sentAt(filling, 'm')}
from generate_series($1::bigint, $2::bigint) n cross join lateral (select ${filling.messages} + 1 - n as m) newest
cross join (values ('sent'), ('delivered'), ('read')) as reported(status)`;

/** A twentieth stopped marketing, of a fifth two attributes are known, each written twice, and one in 1,000 is on hold. */
function knownOfCustomers({ workspaceId, end }: Filling): [name: string, statement: string][] {
  const of = (every: number): string =>
    `from generate_series($1::bigint - 1, $2::bigint - 1) k cross join lateral (select ${numberOf('k')} as number) named where k % ${every} = 0`;
  const names = `cross join lateral (values (number), ('US.1349' || number)) as own(name)`;
  const ofNames = (every: number): string => of(every).replace(' where ', ` ${names} where `);
  const at = `${end} - make_interval(secs => (k % 7000000)::float8)`;
  const evidence = `'{"kind":"api","actor":"environment","note":"by phone"}'`;
  const attributes = `cross join (values ('language', 'en'), ('plan', 'gold')) as a(attribute, value)`;
  return [
    [
      'consents',
      `insert into customer_consents (workspace_id, name, purpose, state, since, evidence)
       select '${workspaceId}', name, 'marketing', 'stopped', ${at}, ${evidence} ${ofNames(20)}`,
    ],
    [
      'changes of consents',
      `insert into consent_changes (change_id, workspace_id, name, purpose, state, at, evidence)
       select ${idAt(at, 6, 'k')}, '${workspaceId}', name, 'marketing', 'stopped', ${at}, ${evidence} ${ofNames(20)}`,
    ],
    [
      'attributes',
      `insert into customer_attributes (workspace_id, name, attribute, type, value, at, evidence)
       select '${workspaceId}', number, attribute, 'text', value, ${at}, '{"kind":"api","actor":"environment"}'
       ${of(5).replace(' where ', ` ${attributes} where `)}`,
    ],
    [
      'changes of attributes',
      `insert into attribute_changes (workspace_id, name, attribute, type, value, at, evidence)
       select '${workspaceId}', number, attribute, 'text', value, ${at} - make_interval(hours => write), '{"kind":"api","actor":"environment"}'
       ${of(5).replace(' where ', ` ${attributes} cross join generate_series(0, 1) write where `)}`,
    ],
    [
      'holds',
      `insert into customer_holds (workspace_id, name, since, reason, evidence)
       select '${workspaceId}', name, ${at}, 'A complaint', '{"kind":"api","actor":"environment"}' ${ofNames(1000)}`,
    ],
  ];
}

const businessInitiated = ({ workspaceId, end }: Filling): string => `
insert into business_initiated_messages (workspace_id, message_id, phone_number_id, recipient, sent_at)
select workspace_id, message_id, phone_number_id, recipient, created_at from sent_messages
where workspace_id = '${workspaceId}' and created_at > ${end} - interval '1 day' and created_at <= ${end} and kind = 'template' and status <> 'failed'`;

const NOTIFICATION_HEADERS = `'{"content-type":"application/json","user-agent":"patchbay-messaging"}'`;
const WEBHOOK_HEADERS = `'{"host":"127.0.0.1","connection":"keep-alive","content-type":"application/json","user-agent":"node","content-length":"64"}'`;

const eventsOfReceived = (filling: Filling): string => {
  const { workspaceId, connectionId, businessAccountId, answeringId, phoneNumberIds } = filling;
  const id = messageId('received', 'r');
  const phone = oneOf(phoneNumberIds, followed, 'text');
  return `
insert into events (id, workspace_id, workflow_id, connection_id, kind, outcome, received_at, headers, body, run_id)
select event_id, '${workspaceId}', '${answeringId}', '${connectionId}', 'notification', 'triggered', at, ${NOTIFICATION_HEADERS},
  convert_to('{"kind":"message","message_id":"' || ${id} || '","from":"' || number || '","from_user_id":"US.1349' || number ||
    '","from_name":"Anna Example","timestamp":' || floor(extract(epoch from at)) || ',"phone_number_id":"' || ${phone} ||
    '","display_phone_number":"12125550101","type":"text","text":"' || said || '","business_account_id":"${businessAccountId}","connection_id":"${connectionId}","raw":{"from":"' ||
    number || '","from_user_id":"US.1349' || number || '","id":"' || ${id} || '","timestamp":"' || floor(extract(epoch from at)) ||
    '","type":"text","text":{"body":"' || said || '"}}}', 'UTF8'), run_id
${fromReceived(filling, `cross join lateral (select ${textOf} as said) words`)}`;
};

const RUN_COLUMNS = `(id, workspace_id, workflow_id, version, event_id, status, epoch, worker_id, last_statement, created_at, started_at, finished_at)`;

/** Of the newest messages. */
const runsOfReceived = (filling: Filling): string => {
  const count = Math.floor(filling.messages / 5);
  return `
insert into runs ${RUN_COLUMNS}
select run_id, '${filling.workspaceId}', '${filling.answeringId}', 1, event_id, 'succeeded', 1, '${filling.connectionId}', 3, at, at, at
${fromReceived(filling, '').replace('generate_series($1::bigint, $2::bigint)', `generate_series(${count} + 1 - $2::bigint, ${count} + 1 - $1::bigint)`)}`;
};

const newestMessages = (filling: Filling): string => `
from generate_series(${filling.messages} + 1 - $2::bigint, ${filling.messages} + 1 - $1::bigint) n
cross join lateral (select ${sentAt(filling)} as at, ${numberOf(customerOfMessage('n', filling.customers))} as number) of_message
where n % 5 < 4`;

const eventsOfWebhooks = (filling: Filling): string => `
insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id)
select ${idAt('at', 0, 'n')}, '${filling.workspaceId}', ${oneOf(filling.sendingIds, '(n / 7)', 'uuid')}, 'production', 'triggered', at, ${WEBHOOK_HEADERS},
  convert_to('{"id":"A-' || n || '","phone":"+' || number || '","customer":{"name":"Guest"},"items":"' || repeat('a book ', 40) || '"}', 'UTF8'),
  ${idAt('at', 1, 'n')}
${newestMessages(filling)}`;

const ERROR = `'{"code":"invalid_recipient","message":"Enter a phone number.","task_id":2}'`;

const runsOfWebhooks = (filling: Filling): string => `
insert into runs ${RUN_COLUMNS.replace(')', ', error)')}
select ${idAt('at', 1, 'n')}, '${filling.workspaceId}', ${oneOf(filling.sendingIds, '(n / 7)', 'uuid')}, 1, ${idAt('at', 0, 'n')},
  case when n % 50 = 0 then 'failed' else 'succeeded' end, 1, '${filling.connectionId}', 3, at, at, at, case when n % 50 = 0 then ${ERROR}::json end
${newestMessages(filling)}`;

const taskRuns = ({ workspaceId, end }: Filling): string => `
insert into task_runs (run_id, task_id, status, run_text, output, error, attempt, started_at, finished_at)
select id, task, case when task = 2 then status else 'succeeded' end,
  case when task = 1 then 'Inbound data was received and processed successfully.' else 'Template sent successfully.' end,
  case when task = 2 then '{"action":"send_template","message_id":"wamid.","message_status":"accepted","recipient":"4915100000000","template_name":"template"}' end,
  case when task = 2 then error end, 1, started_at, finished_at
from runs cross join generate_series(1, 2) task where workspace_id = '${workspaceId}' and created_at <= ${end}`;

const undeliveredRuns = ({ workspaceId, end }: Filling): string => `
insert into undelivered_runs (run_id, workspace_id, workflow_id, message_id, noted_at, is_reported)
select r.id, r.workspace_id, r.workflow_id, s.message_id, s.status_at, true
from sent_messages s join runs r on r.id = s.run_id where s.workspace_id = '${workspaceId}' and s.created_at <= ${end} and s.status = 'failed'`;
