import { sql } from 'drizzle-orm';
import { queryRows } from '#lib/core/db/sql.ts';
import type { AlertRuntime } from './runtime.ts';

/** Whether there is anything to tell or to send: one statement, which looks at the first entry of five indexes. */
export async function hasWork({ db }: Pick<AlertRuntime, 'db'>): Promise<boolean> {
  const [row] = await queryRows<{ found: boolean }>(
    db,
    sql`select exists (select from failed_runs)
      or exists (select from account_notices)
      or exists (select from alert_states where digest_at is not null and digest_at <= now())
      or exists (select from alert_recipients where digest_at is not null and digest_at <= now())
      or exists (
        select from alert_deliveries
        where sent_at is null and failed_at is null and mail_id is null and due_at <= now()
      ) as found`,
  );
  return row?.found === true;
}
