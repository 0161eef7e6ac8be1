// Every column that can hold a text is searched by erasures, belongs to the customer, or cannot hold a name.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '#lib/core/db/client.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import { OWN_TABLES, PLACES } from './places.ts';

let db: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  db = openDatabase(database.url, { maxConnections: 1 });
  drop = () => database.drop();
});
afterAll(async () => {
  await db.$client.end();
  await drop();
});

/** Tables of accounts, settings and counts, by why no customer is in them. */
const WITHOUT_CUSTOMERS: Readonly<Record<string, readonly string[]>> = {
  'members and their sessions': [
    'users',
    'user_identities',
    'user_sessions',
    'password_resets',
    'memberships',
    'invitations',
    'sign_in_limits',
    'sign_in_policy',
    'group_access',
    'group_roles',
    'two_factor',
    'recovery_codes',
    'sign_in_challenges',
    'passkeys',
    'used_passkey_challenges',
  ],
  'settings, in which members may have written a number': [
    'workspaces',
    'api_keys',
    'workflows',
    'workflow_versions',
    'webhook_tokens',
    'connections',
    'connection_facts',
    'connection_logins',
    'connection_subscriptions',
    'requested_categories',
    'consent_settings',
    'setting_secrets',
    'named_secrets',
    'alert_destinations',
    'alert_settings',
    'workflow_alert_settings',
    'message_prices',
    'workspace_times',
    'schedules',
    'webhook_rate_buckets',
  ],
  'members who are alerted': ['alert_recipients'],
  'counts and progress': [
    'run_calls',
    'message_days',
    'counted_hours',
    'retention_progress',
    'retention_leftovers',
    'processes',
    'unrouted_notifications',
    'send_turns',
  ],
  'hashes and sealed names': ['erasures', 'erasure_keys', 'erased_names'],
};

const COLUMNS = `
select table_name as table, array_agg(column_name::text order by column_name) as columns from information_schema.columns
join information_schema.tables using (table_schema, table_name)
where table_schema = 'public' and table_type = 'BASE TABLE'
  and not exists (select from pg_class where oid = to_regclass(quote_ident(table_name)) and relispartition)
  and (data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea') or udt_name = '_text')
group by 1 order by 1`;

test('every table with texts is known to erasures', async () => {
  const { rows } = await db.$client.query<{ table: string; columns: string[] }>(COLUMNS);
  const known = [
    ...PLACES.map(({ table }) => table),
    ...OWN_TABLES,
    ...Object.values(WITHOUT_CUSTOMERS).flat(),
  ].toSorted();
  expect(rows.map(({ table }) => table).filter((table) => !known.includes(table))).toEqual([]);
  expect(known).toEqual([...new Set(known)]);
});

/** Ids, types and states of tables that are searched. */
const NO_TEXTS: Readonly<Record<string, readonly string[]>> = {
  alerts: ['kind'],
  alert_deliveries: ['channel'],
  mails: ['content_encrypted', 'kind', 'recipient'],
  audit_entries: ['action', 'actor_id', 'actor_name'],
  approval_links: ['approve_label', 'decision', 'reject_label', 'token_hash'],
  webhook_keys: ['body_hash', 'key_hash'],
  pinned_outputs: ['branch'],
  signal_waits: ['iteration', 'rule', 'signals'],
  send_list_rows: ['skipped', 'state'],
  // Names of columns, and what they are.
  send_lists: ['columns', 'connection_id', 'content_hash', 'mapping', 'phone_number_id', 'state'],
};

test('of a table that is searched, every text is', async () => {
  const { rows } = await db.$client.query<{ table: string; columns: string[] }>(COLUMNS);
  for (const { table, columns } of PLACES) {
    const all = rows.find((row) => row.table === table)?.columns;
    expect(all, table).toEqual([...Object.keys(columns), ...(NO_TEXTS[table] ?? [])].toSorted());
  }
});
