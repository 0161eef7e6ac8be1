// Where a customer's names may be in what is about others, too: every table with texts is one of these, belongs to the customer
// (own-rows.ts), or cannot hold one (`WITHOUT_NAMES`). A test compares them with the schema.
import { inTransaction, type Pool } from '#lib/core/db/client.ts';
import { HIGHEST_ID, LOWEST_ID } from '#lib/core/ids.ts';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { forgetEvents } from '#lib/events/full-text/forget.ts';
import { cleanRun, containing, RUN_NAMES, TASK_NAMES, type TextKind } from './clean-run.ts';
import { type Erasing, eraseEvents } from './own-rows.ts';

interface Place {
  /** Of the receipt. */
  kind: string;
  table: string;
  /** The primary key, which is the order of the pages. */
  key: readonly [string, ...string[]];
  columns: Readonly<Record<string, TextKind>>;
  /** SQL: whose rows. $1 is the workspace. Left out: the table has a workspace. */
  of?: string;
  /** What happens to a row with a name; left out: its columns are cleaned. */
  removes?: true;
}

/** Tables that are searched from the first to the last row; every one has few rows, or is removed by age. */
export const PLACES: readonly Place[] = [
  { kind: 'alerts', table: 'alerts', key: ['id'], columns: { content: 'json' } },
  {
    kind: 'alerts',
    table: 'alert_deliveries',
    key: ['id'],
    columns: { target: 'text', problem: 'text' },
    of: 'alert_id in (select id from alerts where workspace_id = $1)',
  },
  {
    kind: 'alerts',
    table: 'alert_states',
    key: ['workspace_id', 'matter'],
    columns: { matter: 'text', told_of: 'text' },
    removes: true,
  },
  {
    kind: 'mails',
    table: 'mails',
    key: ['id'],
    columns: { subject: 'text', problem: 'text' },
    of: '$1::uuid is not null',
  },
  {
    kind: 'audit_entries',
    table: 'audit_entries',
    key: ['id'],
    columns: { target_id: 'text', target_name: 'text' },
  },
  {
    kind: 'approvals',
    table: 'approval_links',
    key: ['id'],
    columns: { question: 'text', details: 'text', comment: 'text', body: 'json' },
  },
  { kind: 'search_keys', table: 'search_keys', key: ['event_id'], columns: { key: 'text' }, removes: true },
  {
    kind: 'answers',
    table: 'webhook_keys',
    key: ['workflow_id', 'key_hash'],
    columns: { answer: 'json' },
    of: 'workflow_id in (select id from workflows where workspace_id = $1)',
    removes: true,
  },
  { kind: 'drafts', table: 'draft_runs', key: ['run_id'], columns: { options: 'json' } },
  {
    kind: 'drafts',
    table: 'pinned_outputs',
    key: ['workflow_id', 'task_id'],
    columns: { output: 'json', run_text: 'text' },
    of: 'workflow_id in (select id from workflows where workspace_id = $1)',
  },
  { kind: 'notices', table: 'account_notices', key: ['id'], columns: { notice: 'json' } },
  {
    kind: 'signals',
    table: 'used_signals',
    key: ['workspace_id', 'id'],
    columns: { id: 'text' },
    removes: true,
  },
  {
    kind: 'signals',
    table: 'signal_waits',
    key: ['id'],
    columns: { key: 'text' },
  },
  {
    kind: 'changes',
    table: 'received_changes',
    key: ['connection_id', 'change_key'],
    columns: { change_key: 'text' },
    of: 'connection_id in (select id from connections where workspace_id = $1)',
    removes: true,
  },
  {
    kind: 'list_rows',
    table: 'send_list_rows',
    key: ['list_id', 'line'],
    columns: { data: 'json', recipient: 'text' },
    of: 'list_id in (select id from send_lists where workspace_id = $1)',
    removes: true,
  },
  { kind: 'lists', table: 'send_lists', key: ['id'], columns: { name: 'text', problem: 'text' } },
];

/** Tables of the customer's own rows, and those that are searched with events and runs. */
export const OWN_TABLES = [
  'sent_messages',
  'received_messages',
  'undelivered_runs',
  'business_initiated_messages',
  'send_rates',
  'customer_names',
  'conversation_windows',
  'customer_consents',
  'consent_changes',
  'customer_holds',
  'customer_attributes',
  'attribute_changes',
  'consent_confirmations',
  'marketing_places',
  'received_words',
  'full_text_segments',
  'full_text_postings',
  'events',
  'runs',
  'task_runs',
] as const;

const ROWS_AT_ONCE = 500;
const EVENTS_AT_ONCE = 200;

const asText = (column: string): string => `coalesce(t.${column}::text, '')`;

/** A page of a place by its primary key. @param position JSON of a key @returns where it ended; null: it was the last one */
export async function cleanPlace(
  pool: Pool,
  erasing: Erasing,
  place: Place,
  position: string,
): Promise<string | null> {
  const { table, key, of = 'workspace_id = $1' } = place;
  const columns = Object.keys(place.columns);
  const types = await typesOf(pool, table);
  const isHit = columns.map((column) => `${asText(column)} ~ $2`).join(' or ');
  const keys = key.map((name) => `t.${name}`).join(', ');
  const after = key.map((name, index) => `$${index + 3}::${types.get(name) ?? 'text'}`).join(', ');
  const { rows } = await pool.query<Record<string, string | null> & { is_hit: boolean }>(
    `select ${key.map((name) => `page.key_${name}`).join(', ')}, page.is_hit,
      ${columns.map((name) => `case when page.is_hit then page."${name}" end as "${name}"`).join(', ')}
    from (
      select ${isHit} as is_hit, ${key.map((name) => `t.${name}::text as key_${name}`).join(', ')},
        ${columns.map((name) => `t.${name}::text as "${name}"`).join(', ')}
      from ${table} t where ${of}${position === '' ? '' : ` and (${keys}) > (${after})`} order by ${keys} limit ${ROWS_AT_ONCE}
    ) page`,
    [
      erasing.workspaceId,
      erasing.spellings.sql,
      ...(position === '' ? [] : (JSON.parse(position) as string[])),
    ],
  );
  for (const row of rows.filter(({ is_hit }) => is_hit)) await cleanRow(pool, erasing, place, row, types);
  const last = rows.at(-1);
  return rows.length < ROWS_AT_ONCE || !last ? null : JSON.stringify(key.map((name) => last[`key_${name}`]));
}

async function cleanRow(
  pool: Pool,
  { spellings, count }: Erasing,
  { kind, table, key, columns, removes }: Place,
  row: Readonly<Record<string, unknown>>,
  types: ReadonlyMap<string, string>,
): Promise<void> {
  const cleaned = Object.entries(columns).flatMap(([column, as]) => {
    const before = row[column];
    if (typeof before !== 'string') return [];
    const after = as === 'json' ? spellings.cleanJson(before, true) : spellings.clean(before, true);
    return after === before || !spellings.isIn(before) ? [] : [[column, after] as const];
  });
  if (cleaned.length === 0) return;
  const where = key.map((name, index) => `${name}::text = $${index + 1}`).join(' and ');
  const keys = key.map((name) => row[`key_${name}`]);
  if (removes) await pool.query(`delete from ${table} where ${where}`, keys);
  else {
    const set = cleaned.map(
      ([column], index) => `${column} = $${key.length + index + 1}::${types.get(column) ?? 'text'}`,
    );
    await pool.query(`update ${table} set ${set.join(', ')} where ${where}`, [
      ...keys,
      ...cleaned.map(([, after]) => after),
    ]);
  }
  count(kind, 1);
}

const TYPES = `
select column_name as name, data_type as type from information_schema.columns where table_schema = 'public' and table_name = $1`;

async function typesOf(pool: Pool, table: string): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ name: string; type: string }>(TYPES, [table]);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** The next rows of a workspace ($1) after an id ($3). Up to PostgreSQL 17 an upper bound in a row value does not end the scan. */
const nextOf = (table: string): string => `(
  select * from ${table} where (workspace_id, id) > ($1, $3) and (workspace_id, id) <= ($1, '${HIGHEST_ID}'::uuid)
  order by workspace_id, id limit ${EVENTS_AT_ONCE})`;

/** A body is any bytes: outside ASCII the pattern finds what PostgreSQL escapes. */
const EVENTS_PAGE = `
select page.id, page.is_hit, case when is_hit then page.headers end as headers, case when is_hit then page.body end as body,
  case when is_hit then page.reason end as reason
from (
  select e.id, e.headers::text as headers, e.body, e.reason,
    e.headers::text ~ $2 or coalesce(e.reason, '') ~ $2 or coalesce(encode(e.body, 'escape'), '') ~ $2 as is_hit
  from ${nextOf('events')} e where e.id <= $4 limit ${EVENTS_AT_ONCE}
) page order by page.id`;

interface EventRow {
  id: string;
  is_hit: boolean;
  headers: string;
  body: Buffer | null;
  reason: string | null;
}

/**
 * A page of events that contain a name. Those about this customer alone go with their runs; of others the values go.
 * @returns where it ended; null: it was the last one
 */
export async function cleanEvents(
  pool: Pool,
  erasing: Erasing,
  position: string,
  until: string,
): Promise<string | null> {
  const { workspaceId, spellings } = erasing;
  const values = [workspaceId, spellings.sql, position || LOWEST_ID, until];
  const { rows } = await pool.query<EventRow>(EVENTS_PAGE, values);
  const hits = rows.filter(
    ({ is_hit: isHit, body, headers, reason }) =>
      isHit && [body?.toString('utf8') ?? '', headers, reason ?? ''].some((text) => spellings.isIn(text)),
  );
  const shared = hits.filter(({ body }) => body && spellings.isOneOfMany(body.toString('utf8')));
  const own = hits.filter((row) => !shared.includes(row)).map(({ id }) => id);
  const kept = await eraseEvents(pool, erasing, own);
  await cleanEventRows(
    pool,
    erasing,
    hits.filter((row) => shared.includes(row) || kept.includes(row.id)),
  );
  return rows.length < EVENTS_AT_ONCE ? null : (rows.at(-1)?.id ?? null);
}

const OPEN_RUNS = `
select r.id, e.id as event_id from events e join runs r on r.id = e.run_id where e.id = any($1::uuid[]) and ${isOpenRunSql('r.status')}
union
select r.id, r.event_id from runs r
where r.event_id = any($1::uuid[]) and (r.retry_of is not null or r.version < 0) and ${isOpenRunSql('r.status')}`;
const CLEAN_EVENT = `
update events set headers = $2::json, reason = $3, body = $4,
  body_removed_at = case when body is not null and $4::bytea is null then now() else body_removed_at end
where id = $1`;
const FORGET_KEYS = `
with found as (delete from search_keys where event_id = $1 and key ~ $2),
words as (delete from received_words where event_id = $1)
delete from webhook_keys where event_id = $1`;

/** What an open run still reads stays until it has ended. */
async function cleanEventRows(pool: Pool, erasing: Erasing, rows: readonly EventRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { spellings, waitsFor, count } = erasing;
  const open = await pool.query<{ id: string; event_id: string }>(OPEN_RUNS, [rows.map(({ id }) => id)]);
  for (const { id } of open.rows) waitsFor.add(id);
  const busy = new Set(open.rows.map((row) => row.event_id));
  for (const { id, headers, reason, body } of rows) {
    if (busy.has(id)) continue;
    const text = body?.toString('utf8') ?? null;
    const cleaned = text === null ? null : spellings.cleanJson(text, true);
    await inTransaction(pool, async (client) => {
      await client.query(CLEAN_EVENT, [
        id,
        spellings.cleanJson(headers, true),
        reason === null ? null : spellings.clean(reason, true),
        cleaned === null ? null : Buffer.from(cleaned, 'utf8'),
      ]);
      await client.query(FORGET_KEYS, [id, spellings.sql]);
      await forgetEvents(client, erasing.workspaceId, [id]);
    });
    count('events_cleaned', 1);
  }
}

const RUNS_PAGE = `
select r.id, ${isOpenRunSql('r.status')} as is_open, ${containing('r', RUN_NAMES)} as is_hit,
  exists (select from task_runs t where t.run_id = r.id and (${containing('t', TASK_NAMES)})) as has_hits
from ${nextOf('runs')} r where r.id <= $4 order by r.id`;

/** A page of runs whose texts contain a name. @returns where it ended; null: it was the last one */
export async function cleanRuns(
  pool: Pool,
  erasing: Erasing,
  position: string,
  until: string,
): Promise<string | null> {
  const { workspaceId, spellings, waitsFor } = erasing;
  const values = [workspaceId, spellings.sql, position || LOWEST_ID, until];
  const { rows } = await pool.query<{ id: string; is_open: boolean; is_hit: boolean; has_hits: boolean }>(
    RUNS_PAGE,
    values,
  );
  for (const run of rows) {
    if (!run.is_hit && !run.has_hits) continue;
    if (run.is_open) waitsFor.add(run.id);
    else await cleanRun(pool, erasing, run.id);
  }
  return rows.length < EVENTS_AT_ONCE ? null : (rows.at(-1)?.id ?? null);
}
