import { sql, type SQL } from 'drizzle-orm';
import { newId } from '#lib/core/ids.ts';

/**
 * SQL that stores that the platform has another number for an entered one, as for Mexico and Argentina: runs that wait for
 * the customer under one number, and look-ups of their window, find notifications about the other.
 */
export const learnAlias = (
  workspaceId: string,
  { entered, number }: { entered: string; number: string },
): SQL => sql`
  with known as (
    select customer_id, name = ${entered} as is_entered from customer_names
    where workspace_id = ${workspaceId} and name in (${entered}, ${number})
  ), kept as (
    select coalesce((select customer_id from known order by is_entered limit 1), ${newId()}::uuid) as id
  ), joined as (
    update customer_names set customer_id = (select id from kept)
    where workspace_id = ${workspaceId} and name not in (${entered}, ${number})
      and customer_id in (select customer_id from known where is_entered)
  )
  insert into customer_names (workspace_id, name, customer_id, business_account_id, alias_of)
  select ${workspaceId}, told.name, kept.id, '', told.alias_of
  from kept, (values (${number}::text, null::text), (${entered}::text, ${number}::text)) as told(name, alias_of)
  order by told.name
  on conflict (workspace_id, name) do update set customer_id = excluded.customer_id, alias_of = excluded.alias_of`;
