import type { Queryable } from '#lib/core/db/client.ts';
import { isUserId } from '#lib/messaging/platform/ids.ts';
import {
  type Customer,
  followCustomer,
  learnCustomer,
  namesOf,
  type ReportedNames,
} from './customer-names.ts';

const KNOWN = `
select name, customer_id, business_account_id from customer_names
where workspace_id = $1 and customer_id =
  (select customer_id from customer_names where workspace_id = $1 and name = any($2::text[]) limit 1)`;

interface KnownName {
  name: string;
  customer_id: string;
  business_account_id: string;
}

const RENAME = `
insert into customer_names as known (workspace_id, name, customer_id, business_account_id)
select $1, name, $2, $3 from unnest($4::text[]) as reported(name) order by name
on conflict (workspace_id, name) do update
  set customer_id = excluded.customer_id, business_account_id = excluded.business_account_id,
    seen_at = excluded.seen_at`;

const FORGET = `
delete from customer_names where workspace_id = $1 and (name = any($2::text[]) or alias_of = any($2::text[]))
returning name`;

const MOVE_WINDOWS = `
with moved as (
  delete from conversation_windows where workspace_id = $1 and customer = $2
  returning phone_number_id, last_message_at, last_message_id
)
insert into conversation_windows as known (workspace_id, phone_number_id, customer, last_message_at, last_message_id)
select $1, phone_number_id, $3, last_message_at, last_message_id from moved
on conflict (workspace_id, phone_number_id, customer) do update
  set last_message_at = excluded.last_message_at, last_message_id = excluded.last_message_id
  where known.last_message_at < excluded.last_message_at`;

/**
 * Stores a customer's new number or user id, and moves waits of runs. The old number may be reassigned: no data of this
 * customer remains under it. @param reported the former names @param now empty: unchanged
 */
export async function moveCustomer(
  client: Queryable,
  workspaceId: string,
  reported: ReportedNames,
  now: Pick<ReportedNames, 'number' | 'userId'>,
): Promise<Customer> {
  const { rows } = await client.query<KnownName>(KNOWN, [workspaceId, namesOf(reported)]);
  const before = { ...reported, userId: reported.userId || findUserId(rows, reported) };
  const after = { ...before, number: now.number || before.number, userId: now.userId || before.userId };
  const gone = namesOf(before).filter((name) => !namesOf(after).includes(name));
  const former = new Set(gone);
  const customerId = rows[0]?.customer_id;
  if (customerId !== undefined) {
    await client.query(RENAME, [workspaceId, customerId, before.businessAccountId, namesOf(after)]);
    const forgotten = await client.query<{ name: string }>(FORGET, [workspaceId, gone]);
    for (const { name } of forgotten.rows) former.add(name);
  }
  if (before.number && after.number !== before.number)
    await client.query(MOVE_WINDOWS, [workspaceId, before.number, after.number]);
  if (before.userId && after.userId !== before.userId)
    await client.query(MOVE_WINDOWS, [workspaceId, before.userId, after.userId]);
  const changed = [...former].map((from) => ({ from, to: isUserId(from) ? after.userId : after.number }));
  const followedBy = await followCustomer(client, workspaceId, changed);
  const customer = await learnCustomer(client, workspaceId, after);
  return {
    ...customer,
    changed: [...changed, ...(customer.changed ?? [])],
    followedBy: [...followedBy, ...(customer.followedBy ?? [])],
  };
}

/** The user id of the customer, for a change that is reported with the number only. */
const findUserId = (rows: readonly KnownName[], { businessAccountId }: ReportedNames): string =>
  rows.find((row) => isUserId(row.name) && row.business_account_id === businessAccountId)?.name ?? '';
