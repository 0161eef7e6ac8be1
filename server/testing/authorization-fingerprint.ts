import type { Pool } from '#lib/core/db/client.ts';

/** Heartbeats continue by themselves. */
const RESTLESS = ['processes'];

/** A row's text; `last_used_at` only says that a key was sent. */
const ROW: Readonly<Record<string, string>> = { api_keys: `(to_jsonb(x) - 'last_used_at')::text` };

/** Rows and checksum by table. */
export type Fingerprint = Record<string, string>;

/** Makes the question what is in all tables (jobs included), or in the rows of one workspace that say whose they are. */
export async function createFingerprint(pool: Pool): Promise<(workspaceId?: string) => Promise<Fingerprint>> {
  const { rows } = await pool.query<{ name: string; owned: boolean }>(
    `select table_name as name, exists (select from information_schema.columns c
       where c.table_schema = t.table_schema and c.table_name = t.table_name and c.column_name = 'workspace_id') as owned
     from information_schema.tables t
     where table_schema = 'public' and table_type = 'BASE TABLE' and not table_name = any($1) order by 1`,
    [RESTLESS],
  );
  const statement = (tables: { name: string; owned: boolean }[], filter: string) =>
    tables
      .map(({ name }) => {
        const row = `md5(${ROW[name] ?? 'x::text'})`;
        const table = name.includes('.') ? name : `"${name}"`;
        return `select '${name}' as name, count(*) || ' rows, ' || md5(coalesce(string_agg(${row}, '' order by ${row}), '')) as state
          from ${table} x ${filter}`;
      })
      .join(' union all ');
  const everything = statement([...rows, { name: 'graphile_worker._private_jobs', owned: false }], '');
  const ofWorkspace = statement(
    rows.filter(({ owned }) => owned),
    'where workspace_id = $1',
  );
  return async (workspaceId) => {
    const result = await pool.query<{ name: string; state: string }>(
      workspaceId === undefined ? everything : ofWorkspace,
      workspaceId === undefined ? [] : [workspaceId],
    );
    return Object.fromEntries(result.rows.map(({ name, state }) => [name, state]));
  };
}
