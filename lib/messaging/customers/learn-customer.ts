// Messages go to a customer's number, their user id, or both in turns; notifications show which belong together. Other data
// about a customer is stored under one of the names, and found by all of them.
import type { Queryable } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import type { SignaledRun } from '#lib/engine/store/deliver-signals.ts';
import { isUserId } from '#lib/messaging/platform/user-id.ts';
import { type ChangedName, followCustomer } from './follow-customer.ts';

/** A notification's facts about one customer; empty: unknown. */
export interface ToldNames {
  number: string;
  userId: string;
  /** User ids are of the portfolio that the business account belongs to. */
  businessAccountId: string;
}

export interface Customer {
  id: string;
  /** Their known number and user ids, in the order of the texts; never empty. */
  names: string[];
  /** Which of their names have changed just now, and into which. */
  changed?: ChangedName[];
  /** Runs that wait for them under the changed names from now on. */
  followedBy?: SignaledRun[];
}

interface NameRow {
  name: string;
  customer_id: string;
  business_account_id: string;
  alias_of: string | null;
}

const READ = `
select name, customer_id, business_account_id, alias_of from customer_names
where workspace_id = $1
  and customer_id in (select customer_id from customer_names where workspace_id = $1 and name = any($2::text[]))
order by name`;

const ADD = `
insert into customer_names (workspace_id, name, customer_id, business_account_id)
select $1, name, $2, $3 from unnest($4::text[]) as told(name) order by name
on conflict do nothing`;

const FORGET = 'delete from customer_names where workspace_id = $1 and name = any($2::text[])';
const JOIN =
  'update customer_names set customer_id = $2 where workspace_id = $1 and customer_id = any($3::uuid[])';

/**
 * Stores that the names are one customer's, and gives that customer. A name that is another one now (a number changes
 * hands, a user id changes with the number) is taken off them, and runs that wait for them follow.
 */
export async function learnCustomer(
  client: Queryable,
  workspaceId: string,
  told: ToldNames,
): Promise<Customer> {
  const names = namesOf(told);
  const known = await readRows(client, workspaceId, names);
  if (isOneCustomer(known) && isKnown(known, names)) return toCustomer(known);
  await client.query(ADD, [workspaceId, known[0]?.customer_id ?? newId(), told.businessAccountId, names]);
  const rows = (await client.query<NameRow>(`${READ} for update`, [workspaceId, names])).rows;
  const stale = rows.filter((row) => isReplaced(row, told)).map(({ name }) => name);
  if (stale.length > 0) await client.query(FORGET, [workspaceId, stale]);
  const left = rows.filter(({ name }) => !stale.includes(name));
  const changed = listChanged(rows, told);
  const followedBy = await followCustomer(client, workspaceId, changed);
  const kept = customerOf(left, told);
  const others = [...new Set(left.map(({ customer_id }) => customer_id))].filter((id) => id !== kept);
  if (others.length > 0) await client.query(JOIN, [workspaceId, kept, others]);
  const customer = toCustomer(left.map((row) => ({ ...row, customer_id: kept })));
  return changed.length === 0 ? customer : { ...customer, changed, followedBy };
}

export const namesOf = ({ number, userId }: Pick<ToldNames, 'number' | 'userId'>): string[] =>
  [...new Set([number, userId])].filter(Boolean).sort();

const readRows = async (
  client: Queryable,
  workspaceId: string,
  names: readonly string[],
): Promise<NameRow[]> => (await client.query<NameRow>(READ, [workspaceId, names])).rows;

const isOneCustomer = (rows: readonly NameRow[]): boolean =>
  new Set(rows.map(({ customer_id }) => customer_id)).size === 1;

const isKnown = (rows: readonly NameRow[], names: readonly string[]): boolean =>
  names.every((name) => rows.some((row) => row.name === name));

/** Whether a customer who is now known under these names no longer has this one. */
function isReplaced(row: NameRow, { number, userId, businessAccountId }: ToldNames): boolean {
  if (row.name === number || row.name === userId) return false;
  if (row.alias_of !== null) return number !== '' && row.alias_of !== number;
  if (!isUserId(row.name)) return number !== '';
  return userId !== '' && row.business_account_id === businessAccountId;
}

/**
 * The names that are others now of one and the same customer: their user id says who has another number, their number who
 * has another user id.
 */
function listChanged(rows: readonly NameRow[], told: ToldNames): ChangedName[] {
  const ownerOf = (name: string) => rows.find((row) => row.name === name)?.customer_id;
  return rows
    .filter((row) => isReplaced(row, told))
    .flatMap((row) => {
      if (row.customer_id !== ownerOf(told.userId)) return [];
      if (!isUserId(row.name)) return [{ from: row.name, to: told.number }];
      return row.customer_id === ownerOf(told.number) ? [{ from: row.name, to: told.userId }] : [];
    });
}

/** The one who has the number: messages were most likely sent to it. */
const customerOf = (rows: readonly NameRow[], { number, userId }: ToldNames): string => {
  const row = rows.find(({ name }) => name === number) ?? rows.find(({ name }) => name === userId);
  if (!row) throw new Error('A customer was stored and is not there.');
  return row.customer_id;
};

const toCustomer = (rows: readonly NameRow[]): Customer => ({
  id: rows[0]?.customer_id ?? '',
  names: rows.map(({ name }) => name).sort(),
});
