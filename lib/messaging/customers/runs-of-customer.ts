import { type SQL, sql } from 'drizzle-orm';
import { isId, lowestIdAt } from '#lib/core/ids.ts';
import type { ListIds } from '#lib/engine/store/list-newest.ts';
import type { Context } from '#lib/identity/context.ts';
import { findCustomerRows } from './customer-rows.ts';

/**
 * The runs that sent a customer something, or that they started or answered, as a query of ids. Of a customer who does not exist:
 * none.
 */
export async function findRunsOfCustomer(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  customerId: string,
): Promise<ListIds> {
  const [customer] = isId(customerId) ? await findCustomerRows(ctx, [customerId]) : [];
  const names = customer?.names ?? [];
  return ({ from, below, rows }) => {
    // An earlier owner of a number is another customer.
    const firsts = names.map(({ since }) => later(from, lowestIdAt(since.getTime())));
    const before = (id: SQL): SQL => sql`(
      select m.run_id from unnest(${sql.param(names.map(({ name }) => name))}::text[], ${sql.param(firsts)}::uuid[]) as n(name, first)
      cross join lateral (
        ${newest('sent_messages', 'recipient', ctx.workspaceId, id)}
        union all ${newest('received_messages', 'customer', ctx.workspaceId, id)}
      ) m order by m.run_id desc limit 1)`;
    // A run may have thousands of messages: from each run the next older one is looked up.
    return sql`
      with recursive of_customer(id, place) as (
        select ${before(sql`${below}::uuid`)}, 1
        union all
        select ${before(sql`o.id`)}, o.place + 1 from of_customer o where o.id is not null and o.place < ${rows}
      )
      select id from of_customer where id is not null`;
  };
}

const later = (a: string, b: string): string => (a > b ? a : b);

/** A row value serves one index only (lib/core/db/paging.ts). */
const newest = (table: string, column: string, workspaceId: string, below: SQL): SQL => sql`
  (select run_id from ${sql.raw(table)}
    where (workspace_id, ${sql.raw(column)}, run_id) < (${workspaceId}, n.name, ${below})
      and (workspace_id, ${sql.raw(column)}, run_id) >= (${workspaceId}, n.name, n.first) and run_id is not null
    order by workspace_id desc, ${sql.raw(column)} desc, run_id desc limit 1)`;
