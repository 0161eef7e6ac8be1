import type { Pool } from '#lib/core/db/client.ts';

/** Makes every write to these tables fail as on a full disk (SQLSTATE 53100). */
export async function refuseWrites(pool: Pool, tables: readonly string[]): Promise<void> {
  const triggers = tables.map(
    (table) =>
      `create trigger refuse_writes before insert or update or delete on ${table} for each statement execute function refuse_writes();`,
  );
  await pool.query(`
    create or replace function refuse_writes() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    ${triggers.join('\n')}`);
}

export async function allowWrites(pool: Pool, tables: readonly string[]): Promise<void> {
  await pool.query(tables.map((table) => `drop trigger refuse_writes on ${table};`).join('\n'));
}
