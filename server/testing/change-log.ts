// Records the database changes of calls, with triggers on all tables: the cost of detecting a change does not grow during a
// test.
import type { Pool } from '#lib/core/db/client.ts';

/** Heartbeats continue automatically; refused notifications are recorded for the administrator. */
const RESTLESS = ['processes', 'unrouted_notifications'];

/** Columns that only record the use of a key or a session. */
const TRACES: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['last_used_at'],
  user_sessions: ['last_seen_at', 'address'],
};

const PREPARE = `
create schema watched;
create unlogged table watched.changes (place name not null, workspace_id text, before text, after text);
create function watched.note() returns trigger language plpgsql as $$
declare
  before jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) - coalesce(tg_argv, '{}') end;
  after jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) - coalesce(tg_argv, '{}') end;
begin
  if before is distinct from after then
    insert into watched.changes
    values (tg_table_name, coalesce(after, before) ->> 'workspace_id', md5(before::text), md5(after::text));
  end if;
  return null;
end $$`;

/** Checksums of rows; null: none before, or after. */
interface Change {
  place: string;
  workspace_id: string | null;
  before: string | null;
  after: string | null;
}

export interface ChangeLog {
  /**
   * @param workspaceId only rows of this workspace; left out: all tables, including jobs @returns the tables whose rows differ
   * from the last call; undone changes do not count
   */
  take(workspaceId?: string): Promise<string[]>;
}

/** Starts recording all changes, those of a transaction when it is committed. */
export async function startChangeLog(pool: Pool): Promise<ChangeLog> {
  await pool.query(PREPARE);
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and not table_name = any($1)`,
    [RESTLESS],
  );
  for (const table of [...rows.map(({ name }) => `public."${name}"`), 'graphile_worker._private_jobs']) {
    const traces = (TRACES[table.slice('public."'.length, -1)] ?? []).map((column) => `'${column}'`);
    await pool.query(
      `create trigger zz_watched after insert or update or delete on ${table}
       for each row execute function watched.note(${traces.join(', ')})`,
    );
  }
  return {
    async take(workspaceId) {
      const changes = await pool.query<Change>('delete from watched.changes returning *');
      return placesOf(
        changes.rows.filter(({ workspace_id }) => workspaceId === undefined || workspace_id === workspaceId),
      );
    },
  };
}

/** Tables in which more rows with some content were added than removed, or vice versa. */
function placesOf(changes: readonly Change[]): string[] {
  const balance = new Map<string, number>();
  const count = (place: string, content: string | null, by: number): void => {
    if (content !== null) balance.set(`${place} ${content}`, (balance.get(`${place} ${content}`) ?? 0) + by);
  };
  for (const { place, before, after } of changes) {
    count(place, before, -1);
    count(place, after, 1);
  }
  const unlike = [...balance].filter(([, rows]) => rows !== 0);
  return [...new Set(unlike.map(([key]) => key.split(' ')[0] ?? ''))].sort();
}
