import { and, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { alertRecipients, alerts } from './schema.ts';

/** As long as the records of mails (lib/mail), which have the outcome. */
const KEEP_DAYS = 30;

/** Removes old alerts with their deliveries, and old states of recipients. */
export async function pruneAlerts(db: Database): Promise<void> {
  await db.delete(alerts).where(lt(alerts.createdAt, sql`now() - make_interval(days => ${KEEP_DAYS})`));
  await db
    .delete(alertRecipients)
    .where(
      and(
        isNull(alertRecipients.digestAt),
        lt(alertRecipients.windowStartedAt, sql`now() - interval '1 day'`),
      ),
    );
}
