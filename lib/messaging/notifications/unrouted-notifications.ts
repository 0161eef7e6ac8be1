// Notifications that reach the app's receiver but no connection, recorded for the administrator.
import { desc } from 'drizzle-orm';
import type { Database, Pool } from '#lib/core/db/client.ts';
import { unroutedNotifications } from '#lib/messaging/schema/messaging.ts';

export type UnroutedNotification = Pick<
  typeof unroutedNotifications.$inferSelect,
  'reason' | 'businessAccountId' | 'fields' | 'lastReceivedAt'
>;

/** Recorded at most once a minute for each account and field. */
const NOTE = `
insert into unrouted_notifications as known (reason, business_account_id, fields) values ($1, $2, $3)
on conflict (reason, business_account_id) do update set
  fields = array(select distinct field from unnest(known.fields || excluded.fields) as u(field) order by field),
  last_received_at = now()
where known.last_received_at < now() - interval '1 minute' or not known.fields @> excluded.fields`;

/** Records a notification without a connection. @param fields its fields, by the platform's names */
export async function noteUnrouted(
  pool: Pool,
  { reason, businessAccountId, fields }: Omit<UnroutedNotification, 'lastReceivedAt'>,
): Promise<void> {
  await pool.query(NOTE, [reason, businessAccountId, [...new Set(fields)].sort()]);
}

const MAX_LISTED = 20;

/** Those of the last 30 days, newest first. */
export const listUnrouted = (db: Database): Promise<UnroutedNotification[]> =>
  db
    .select({
      reason: unroutedNotifications.reason,
      businessAccountId: unroutedNotifications.businessAccountId,
      fields: unroutedNotifications.fields,
      lastReceivedAt: unroutedNotifications.lastReceivedAt,
    })
    .from(unroutedNotifications)
    .orderBy(desc(unroutedNotifications.lastReceivedAt))
    .limit(MAX_LISTED);
