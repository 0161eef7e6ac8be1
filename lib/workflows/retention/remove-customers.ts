// What is stored of customers follows the messages: when they last wrote, and which number and user ids are theirs. Both rows
// are written again while the customer is active, so that a batch checks their time again when it has locked them.
import { CUSTOMER_KEYS } from '#lib/messaging/customers/customer-names.ts';
import { columnsOf, listByTime, type Part } from './parts.ts';

/** The platform repeats a notification for up to a week, so that a window can open under an earlier time. */
const LATEST_NOTIFICATION_MS = 7 * 86_400_000;

/** In the order of notifications. */
const DELETE_WINDOWS = `
delete from conversation_windows where (workspace_id, phone_number_id, customer) in (
  select w.workspace_id, w.phone_number_id, w.customer from unnest($2::text[], $3::text[]) as due(phone_number_id, customer)
  join conversation_windows w
    on w.workspace_id = $1 and w.phone_number_id = due.phone_number_id and w.customer = due.customer
  where w.last_message_at < $4 order by w.workspace_id, w.phone_number_id, w.customer for update of w
)`;

/** When each customer last wrote to each number. The shortest retention is as long as a window is open. */
export const WINDOWS: Part = {
  name: 'windows',
  list: listByTime(
    'conversation_windows',
    'json_build_array(phone_number_id, customer)::text as key',
    'last_message_at',
    LATEST_NOTIFICATION_MS,
  ),
  async remove(db, _ctx, { workspaceId, keys, cutoff }) {
    return (await db.query(DELETE_WINDOWS, [workspaceId, ...columnsOf(keys), cutoff])).rowCount ?? 0;
  },
};

/** In the order of notifications. */
const DUE_NAMES = `workspace_id = $1 and name in (
  select name from customer_names where workspace_id = $1 and name = any($2::text[]) and seen_at < $3
  order by name for update)`;

/**
 * A run that waits for a customer finds the answer by any of their names, and what a customer stopped, or a hold, counts for all
 * of them.
 */
const KEEP_NEEDED = `
update customer_names set seen_at = now() where customer_id in (
  select k.customer_id from signal_waits w
  join customer_names k on k.workspace_id = w.workspace_id and k.name = split_part(w.key, ':', 3)
  where w.workspace_id = $1 and w.is_open and starts_with(w.key, '${CUSTOMER_KEYS}')
  union all
  select k.customer_id from customer_names due
  join customer_names k on k.workspace_id = due.workspace_id and k.customer_id = due.customer_id
  where due.workspace_id = $1 and due.name = any($2::text[]) and (
    exists (select from customer_consents c where c.workspace_id = $1 and c.name = k.name and c.state = 'stopped')
    or exists (select from customer_holds h where h.workspace_id = $1 and h.name = k.name
      and (h.until is null or h.until > now()))
  )
) and ${DUE_NAMES}`;

/** What is remembered of them goes with their names. */
const DELETE_NAMES = `
with gone as (
  delete from customer_names where ${DUE_NAMES} returning name
), forgotten as (
  delete from customer_attributes where workspace_id = $1 and name in (select name from gone)
), unlogged as (
  delete from attribute_changes where workspace_id = $1 and name in (select name from gone)
)
select name from gone`;

/** Names of customers, and what is remembered of them. Those for whom a run waits, who stopped messages, or who are on hold count as seen now. */
export const NAMES: Part = {
  name: 'names',
  list: listByTime('customer_names', 'name as key', 'seen_at'),
  async remove(db, _ctx, { workspaceId, keys, cutoff }) {
    const values = [workspaceId, keys, cutoff];
    await db.query(KEEP_NEEDED, values);
    return (await db.query(DELETE_NAMES, values)).rowCount ?? 0;
  },
};

/** Writes of what is remembered of customers; the current values remain. */
export const REMEMBERED: Part = {
  name: 'remembered',
  list: listByTime('attribute_changes', 'id::text as key', 'at'),
  async remove(db, _ctx, { workspaceId, keys }) {
    const statement = 'delete from attribute_changes where workspace_id = $1 and id = any($2::bigint[])';
    return (await db.query(statement, [workspaceId, keys])).rowCount ?? 0;
  },
};
