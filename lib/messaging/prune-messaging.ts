import type { Pool } from '#lib/core/db/client.ts';
import { MAX_LIMIT_DAYS } from '#lib/messaging/consent/schema.ts';

/** The platform repeats a notification for up to a week. */
const STATEMENTS = [
  `delete from received_changes where received_at < now() - interval '14 days'`,
  `delete from send_rates where next_at < now() - interval '1 day'`,
  `delete from send_turns where turn_at < now() - interval '1 day'`,
  `delete from business_initiated_messages where sent_at < now() - interval '1 day'`,
  `delete from connection_logins where expires_at < now()`,
  // Questions wait for at most 366 days; the pauses of their deadlines are known until then.
  `delete from customer_holds where until < now() - case
     when deadlines = 'stand_still' or pauses <> '[]' then interval '367 days' else interval '0' end`,
  `delete from joined_customers j
   where not exists (select from customer_names n where n.customer_id = j.joined_id)`,
  // As long as limits count.
  `delete from marketing_places where taken_at < now() - interval '${MAX_LIMIT_DAYS + 1} days'`,
  // With the message, which retention removes; those that were not sent have none.
  `delete from consent_confirmations c where c.created_at < now() - interval '1 day' and case
     when c.sent_id is null then c.created_at < now() - interval '90 days'
     else not exists (select from sent_messages s where s.workspace_id = c.workspace_id and s.message_id = c.sent_id) end`,
  `delete from unrouted_notifications where last_received_at < now() - interval '30 days'`,
];

/** Removes data that is no longer needed. */
export async function pruneMessaging(pool: Pool): Promise<void> {
  for (const statement of STATEMENTS) await pool.query(statement);
}
