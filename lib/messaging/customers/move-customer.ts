import { type Customer, learnCustomer, namesOf, type ToldNames } from './learn-customer.ts';
import type { Queryable } from './queryable.ts';

const CUSTOMER =
  'select customer_id from customer_names where workspace_id = $1 and name = any($2::text[]) limit 1';

const RENAME = `
insert into customer_names as known (workspace_id, name, customer_id, business_account_id)
select $1, name, $2, $3 from unnest($4::text[]) as told(name) order by name
on conflict (workspace_id, name) do update
  set customer_id = excluded.customer_id, business_account_id = excluded.business_account_id`;

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
 * Stores that a customer has another number or user id now. The old number may be given to somebody else: nothing of
 * this customer is left under it.
 * @param before as they were told until now @param now empty: it stayed
 */
export async function moveCustomer(
  client: Queryable,
  workspaceId: string,
  before: ToldNames,
  now: Pick<ToldNames, 'number' | 'userId'>,
): Promise<Customer> {
  const after = { ...before, number: now.number || before.number, userId: now.userId || before.userId };
  const gone = namesOf(before).filter((name) => !namesOf(after).includes(name));
  const formerNames = new Set(gone);
  const { rows } = await client.query<{ customer_id: string }>(CUSTOMER, [workspaceId, namesOf(before)]);
  const customerId = rows[0]?.customer_id;
  if (customerId !== undefined) {
    await client.query(RENAME, [workspaceId, customerId, before.businessAccountId, namesOf(after)]);
    const forgotten = await client.query<{ name: string }>(FORGET, [workspaceId, gone]);
    for (const { name } of forgotten.rows) formerNames.add(name);
  }
  if (before.number && after.number !== before.number)
    await client.query(MOVE_WINDOWS, [workspaceId, before.number, after.number]);
  if (before.userId && after.userId !== before.userId)
    await client.query(MOVE_WINDOWS, [workspaceId, before.userId, after.userId]);
  return { ...(await learnCustomer(client, workspaceId, after)), formerNames: [...formerNames] };
}
