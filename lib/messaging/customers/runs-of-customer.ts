import { type SQL, sql } from 'drizzle-orm';
import { lowestIdAt } from '#lib/core/ids.ts';
import type { ListIds } from '#lib/engine/store/list-newest.ts';
import type { Context } from '#lib/identity/context.ts';
import { type CustomerRow, describeNames, findCustomerRow, MAX_NAMES, SINCE_SLACK } from './customer-rows.ts';

/**
 * The runs that sent a customer something, or that they started or answered, as a query of ids. Of a customer who does not exist:
 * none.
 */
export async function findRunsOfCustomer(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  customerId: string,
): Promise<ListIds> {
  const customer = await findCustomerRow(ctx, customerId);
  return runsOfNames(ctx, customer?.names ?? []);
}

/** The same of a customer whose names are known. */
export const runsOfNames =
  ({ workspaceId }: Pick<Context, 'workspaceId'>, names: CustomerRow['names']): ListIds =>
  ({ from, below, rows }) => {
    // An earlier owner of a number is another customer.
    const firsts = names.map(({ since }) => later(from, lowestIdAt(since.getTime())));
    const before = (id: SQL): SQL => sql`(
      select m.run_id from unnest(${sql.param(names.map(({ name }) => name))}::text[], ${sql.param(firsts)}::uuid[]) as n(name, first)
      cross join lateral (
        ${newest('sent_messages', 'recipient', workspaceId, id)}
        union all ${newest('received_messages', 'customer', workspaceId, id)}
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

/** The events of a customer's newest messages in a span of time, as the column `event_id`. */
export const eventsOfNames = (
  { workspaceId }: Pick<Context, 'workspaceId'>,
  names: CustomerRow['names'],
  { fromMs = 0, toMs, rows }: { fromMs?: number | undefined; toMs?: number | undefined; rows: number },
): SQL => sql`
  select m.event_id from unnest(${sql.param(names.map(({ name }) => name))}::text[],
    ${sql.param(names.map(({ since }) => new Date(Math.max(fromMs, since.getTime())).toISOString()))}::timestamptz[]) as n(name, since)
  cross join lateral (
    select event_id from received_messages
    where workspace_id = ${workspaceId} and (customer, received_at) < (n.name, ${toMs === undefined ? 'infinity' : new Date(toMs).toISOString()}::timestamptz)
      and (customer, received_at) >= (n.name, n.since)
    order by workspace_id desc, customer desc, received_at desc limit ${rows}) m`;

const later = (a: string, b: string): string => (a > b ? a : b);

/** A row value serves one index only (lib/core/db/paging.ts). */
const newest = (table: string, column: string, workspaceId: string, below: SQL): SQL => sql`
  (select run_id from ${sql.raw(table)}
    where workspace_id = ${workspaceId} and (${sql.raw(column)}, run_id) < (n.name, ${below})
      and (${sql.raw(column)}, run_id) >= (n.name, n.first) and run_id is not null
    order by workspace_id desc, ${sql.raw(column)} desc, run_id desc limit 1)`;

/** The customer whom a run is about. */
export interface RunCustomer {
  id: string;
  /** As of `CustomerRow`. */
  numbers: string[];
  userIds: string[];
  profileName: string | null;
}

/** By which name the customer is known whom a run is about; undefined: there is none, or several. */
export async function findCustomerOfRun(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  runId: string,
): Promise<string | undefined> {
  const customer = (await findCustomersOfRuns(ctx, [runId])).get(runId);
  return customer?.numbers[0] ?? customer?.userIds[0];
}

/** A run that sends to many has more messages: then it counts by these. */
const MAX_READ_MESSAGES = 20;

/** The same for all of a customer's names. An earlier owner of a number is another customer. */
const CUSTOMERS = `
with said as materialized (
  select m.* from unnest($2::uuid[]) as asked(run_id) cross join lateral (
    (select run_id, customer as name, received_at as at, true as is_received from received_messages
      where run_id = asked.run_id limit ${MAX_READ_MESSAGES})
    union all
    (select run_id, recipient, created_at, false from sent_messages where run_id = asked.run_id limit ${MAX_READ_MESSAGES})
  ) m
), owned as (
  select s.run_id, k.customer_id, bool_or(s.is_received) as is_received from said s cross join lateral (
    select customer_id, learned_at from customer_names where workspace_id = $1 and name = s.name limit 1) k
  where s.at >= k.learned_at - interval '${SINCE_SLACK}' group by s.run_id, k.customer_id
), chosen as (
  select run_id, min(customer_id::text)::uuid as customer_id from owned o
  where is_received or not exists (select from owned r where r.run_id = o.run_id and r.is_received)
  group by run_id having count(*) = 1
)
select c.run_id, n.customer_id, n.name, n.alias_of, n.profile_name from chosen c cross join lateral (
  select * from customer_names where customer_id = c.customer_id and workspace_id = $1 limit ${MAX_NAMES}) n
order by c.run_id, n.seen_at desc, n.name`;

interface NameOfRun {
  run_id: string;
  customer_id: string;
  name: string;
  alias_of: string | null;
  profile_name: string | null;
}

/**
 * Whom runs are about: whose message started or continued them, else to whom they sent. A run with several customers is not among
 * them. One query, whatever the number of runs.
 */
export async function findCustomersOfRuns(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  runIds: readonly string[],
): Promise<Map<string, RunCustomer>> {
  if (runIds.length === 0) return new Map();
  const { rows } = await db.$client.query<NameOfRun>(CUSTOMERS, [workspaceId, runIds]);
  return new Map(
    [...Map.groupBy(rows, (row) => row.run_id)].map(([runId, names]) => [
      runId,
      { id: names[0]?.customer_id ?? '', ...describeNames(names) },
    ]),
  );
}
