import type { Queryable } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import {
  type Customer,
  isKnown,
  isOneCustomer,
  isReplaced,
  learnCustomer,
  type NameRow,
  namesOf,
  type ReportedNames,
  SEEN_STEP_HOURS,
  toCustomer,
} from './customer-names.ts';

/** What a notification says of one customer of a workspace. */
export interface Report {
  workspaceId: string;
  names: ReportedNames;
}

const READ = `
with asked as (
  select distinct k.workspace_id, k.customer_id from unnest($1::uuid[], $2::text[]) as reported(workspace_id, name)
  join customer_names k on k.workspace_id = reported.workspace_id and k.name = reported.name
)
select n.workspace_id, n.name, n.customer_id, n.business_account_id, n.alias_of,
  n.seen_at < now() - make_interval(hours => ${SEEN_STEP_HOURS}) as is_stale
from asked a join customer_names n on n.customer_id = a.customer_id and n.workspace_id = a.workspace_id`;

/** Waits for retention, which may be deleting them. In the order of the names, as below. */
const MARK_SEEN = `
update customer_names n set seen_at = now() from (
  select k.workspace_id, k.name from unnest($1::uuid[], $2::text[]) as stale(workspace_id, name)
  join customer_names k on k.workspace_id = stale.workspace_id and k.name = stale.name
  order by k.workspace_id, k.name for no key update of k
) seen where n.workspace_id = seen.workspace_id and n.name = seen.name
returning n.workspace_id, n.name`;

/** In the order of the names, so that transactions wait for each other and never deadlock. */
const ADD = `
insert into customer_names (workspace_id, name, customer_id, business_account_id)
select workspace_id, name, customer_id, business_account_id
from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[]) as reported(workspace_id, name, customer_id, business_account_id)
order by workspace_id, name
on conflict do nothing returning workspace_id, name`;

/**
 * As `learnCustomer` for each report, in order; with two statements for those whose names are known, or are all new. Only where
 * names join, change or meet another transaction's is a report looked at alone. At most hourly it is stored that they were seen.
 * @returns the customer of each report
 */
export async function learnCustomers(client: Queryable, reports: readonly Report[]): Promise<Customer[]> {
  if (reports.length === 0) return [];
  const unique = [...new Map(reports.map((report) => [keyOf(report), report])).entries()];
  const before = await readNames(client, reports);
  const learned = new Map<string, Customer>();
  const unknown = unique.filter(([key, report]) => {
    const customer = before.find(report);
    if (customer) learned.set(key, customer);
    return !customer;
  });
  await addNew(client, unknown, before, learned);
  let isAnyAlone = false;
  for (const [key, { workspaceId, names }] of unknown) {
    if (learned.has(key)) continue;
    learned.set(key, await learnCustomer(client, workspaceId, names));
    isAnyAlone = true;
  }
  // Those may have got further names in the meantime.
  const after = isAnyAlone ? await readNames(client, reports) : undefined;
  return reports.map((report) => {
    const customer = learned.get(keyOf(report)) as Customer;
    return (customer.changed ? undefined : after?.find(report)) ?? customer;
  });
}

const keyOf = ({ workspaceId, names: { number, userId, businessAccountId } }: Report): string =>
  JSON.stringify([workspaceId, number, userId, businessAccountId]);

const nameKey = (workspaceId: string, name: string): string => `${workspaceId} ${name}`;

interface FoundName extends NameRow {
  workspace_id: string;
  is_stale: boolean;
}

interface KnownNames {
  /** All rows of the customers who have names of a report. */
  rowsOf(report: Report): readonly NameRow[];
  /** The customer of a report that says nothing new. */
  find(report: Report): Customer | undefined;
}

async function readNames(client: Queryable, reports: readonly Report[]): Promise<KnownNames> {
  const asked = new Map(
    reports.flatMap(({ workspaceId, names }) =>
      namesOf(names).map((name) => [nameKey(workspaceId, name), { workspaceId, name }] as const),
    ),
  );
  const found = await client.query<FoundName>({
    name: 'read_customer_names',
    text: READ,
    values: [
      [...asked.values()].map((each) => each.workspaceId),
      [...asked.values()].map(({ name }) => name),
    ],
  });
  const rows = await markSeen(client, found.rows);
  const byName = new Map(rows.map((row) => [nameKey(row.workspace_id, row.name), row]));
  const byCustomer = Map.groupBy(rows, (row) => nameKey(row.workspace_id, row.customer_id));
  return {
    rowsOf({ workspaceId, names }) {
      const found = namesOf(names).flatMap((name) => byName.get(nameKey(workspaceId, name)) ?? []);
      const ids = [...new Set(found.map((row) => row.customer_id))];
      return ids.flatMap((id) => byCustomer.get(nameKey(workspaceId, id)) ?? []);
    },
    find({ workspaceId, names }) {
      const reported = namesOf(names);
      const found = reported.flatMap((name) => byName.get(nameKey(workspaceId, name)) ?? []);
      if (!isOneCustomer(found) || !isKnown(found, reported)) return undefined;
      return toCustomer(byCustomer.get(nameKey(workspaceId, found[0]?.customer_id ?? '')) ?? []);
    },
  };
}

/** Stores that these were reported now. @returns those that are still there */
async function markSeen(client: Queryable, found: readonly FoundName[]): Promise<readonly FoundName[]> {
  const stale = found.filter((row) => row.is_stale);
  if (stale.length === 0) return found;
  const seen = await client.query<{ workspace_id: string; name: string }>({
    name: 'mark_customers_seen',
    text: MARK_SEEN,
    values: [stale.map((row) => row.workspace_id), stale.map(({ name }) => name)],
  });
  const left = new Set(seen.rows.map((row) => nameKey(row.workspace_id, row.name)));
  return found.filter((row) => !row.is_stale || left.has(nameKey(row.workspace_id, row.name)));
}

/**
 * Stores customers of whom nothing is known, and a new name beside known ones of one customer, where it replaces none. Only of names
 * that no other report has.
 */
async function addNew(
  client: Queryable,
  unknown: readonly (readonly [key: string, report: Report])[],
  known: KnownNames,
  learned: Map<string, Customer>,
): Promise<void> {
  const counts = new Map<string, number>();
  for (const [, { workspaceId, names }] of unknown)
    for (const name of namesOf(names)) {
      const key = nameKey(workspaceId, name);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  const added = unknown.flatMap(([key, { workspaceId, names }]) => {
    const reported = namesOf(names);
    if (reported.some((name) => counts.get(nameKey(workspaceId, name)) !== 1)) return [];
    const before = known.rowsOf({ workspaceId, names });
    const isReplacing = before.some((row) => isReplaced(row, names));
    if (before.length > 0 && (isReplacing || !isOneCustomer(before))) return [];
    const had = before.map(({ name }) => name);
    const fresh = reported.filter((name) => !had.includes(name));
    const customer = { id: before[0]?.customer_id ?? newId(), names: [...had, ...fresh].sort() };
    return [{ key, workspaceId, businessAccountId: names.businessAccountId, customer, fresh }];
  });
  if (added.length === 0) return;
  const rows = added.flatMap(({ workspaceId, businessAccountId, customer: { id }, fresh }) =>
    fresh.map((name) => ({ workspaceId, name, id, businessAccountId })),
  );
  const inserted = await client.query<{ workspace_id: string; name: string }>({
    name: 'add_customer_names',
    text: ADD,
    values: [
      rows.map((row) => row.workspaceId),
      rows.map((row) => row.name),
      rows.map((row) => row.id),
      rows.map((row) => row.businessAccountId),
    ],
  });
  const stored = new Set(inserted.rows.map((row) => nameKey(row.workspace_id, row.name)));
  for (const { key, workspaceId, customer, fresh } of added)
    if (fresh.every((name) => stored.has(nameKey(workspaceId, name)))) learned.set(key, customer);
}
