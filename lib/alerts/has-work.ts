import { sql } from 'drizzle-orm';
import { queryRows } from '#lib/core/db/sql.ts';
import type { AlertRuntime } from './runtime.ts';

/** Whether anything has to be reported: one statement, which reads the first entry of four indexes. */
export async function hasWork({ db }: Pick<AlertRuntime, 'db'>): Promise<boolean> {
  const [row] = await queryRows<{ found: boolean }>(
    db,
    sql`select exists (select from failed_runs)
      or exists (select from account_notices)
      or exists (select from alert_states where digest_at is not null and digest_at <= now())
      or exists (select from alert_recipients where digest_at is not null and digest_at <= now())
      as found`,
  );
  return row?.found === true;
}
