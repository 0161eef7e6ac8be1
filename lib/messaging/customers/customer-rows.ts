// Customers as lists and their own page show them.
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { isUserId } from '#lib/messaging/platform/ids.ts';

export interface CustomerRow {
  id: string;
  /** Digits; the one on the platform first, then those that were entered for it. */
  numbers: string[];
  userIds: string[];
  /** What they call themselves on the platform; null: they have not written. */
  profileName: string | null;
  /** When the platform last reported anything of them, or something was sent, to the hour. */
  seenAt: Date;
  /** Null: none is stored. */
  lastMessage: { at: Date; direction: 'received' | 'sent' } | null;
  /** Each name, and from when on messages under it are theirs. */
  names: { name: string; since: Date }[];
}

interface NameOfRow {
  customer_id: string;
  name: string;
  alias_of: string | null;
  profile_name: string | null;
  learned_at: Date;
  seen_at: Date;
  sent_at: Date | null;
  received_at: Date | null;
}

/**
 * A number may have had another owner before: messages under a name count from when it was learned. The first message to a number
 * may have been stored shortly before its name was.
 */
export const SINCE_SLACK = '1 day';
const SLACK_MS = 86_400_000;

/** No customer has as many. */
export const MAX_NAMES = 50;

/** A row value serves one index only (lib/core/db/paging.ts). */
const last = (table: string, column: string, at: string): string => `(
  select ${at} from ${table}
  where workspace_id = $1 and (${column}, ${at}) <= (n.name, 'infinity'::timestamptz)
    and (${column}, ${at}) >= (n.name, n.learned_at - interval '${SINCE_SLACK}')
  order by workspace_id desc, ${column} desc, ${at} desc limit 1)`;

const FIND = `
select n.customer_id, n.name, n.alias_of, n.profile_name, n.learned_at, n.seen_at,
  ${last('sent_messages', 'recipient', 'created_at')} as sent_at,
  ${last('received_messages', 'customer', 'received_at')} as received_at
from unnest($2::uuid[]) with ordinality as asked(id, place)
cross join lateral (select * from customer_names where customer_id = asked.id and workspace_id = $1 limit ${MAX_NAMES}) n
order by asked.place, n.seen_at desc, n.name`;

/** Customers of the workspace by their ids, in the same order; those that do not exist are left out. */
export async function findCustomerRows(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  ids: readonly string[],
): Promise<CustomerRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.$client.query<NameOfRow>(FIND, [workspaceId, ids]);
  return [...Map.groupBy(rows, (row) => row.customer_id)].map(([id, names]) => toCustomerRow(id, names));
}

const JOINED = 'select joined_id as id from joined_customers where workspace_id = $1 and customer_id = $2';

/** A customer by their id, also by one from before two customers turned out to be the same. */
export async function findCustomerRow(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  id: string,
): Promise<CustomerRow | undefined> {
  if (!isId(id)) return undefined;
  const [customer] = await findCustomerRows(ctx, [id]);
  if (customer) return customer;
  const { rows } = await ctx.db.$client.query<{ id: string }>(JOINED, [ctx.workspaceId, id]);
  return rows[0] && (await findCustomerRows(ctx, [rows[0].id]))[0];
}

/** @param rows all names of a customer, those first that were seen last */
export function describeNames(
  rows: readonly Pick<NameOfRow, 'name' | 'alias_of' | 'profile_name'>[],
): Pick<CustomerRow, 'numbers' | 'userIds' | 'profileName'> {
  const numbers = rows.filter(({ name }) => !isUserId(name));
  return {
    numbers: [
      ...numbers.filter((row) => row.alias_of === null),
      ...numbers.filter((row) => row.alias_of !== null),
    ].map(({ name }) => name),
    userIds: rows.filter(({ name }) => isUserId(name)).map(({ name }) => name),
    profileName: rows.find((row) => row.profile_name !== null)?.profile_name ?? null,
  };
}

function toCustomerRow(id: string, rows: readonly NameOfRow[]): CustomerRow {
  const messages = rows
    .flatMap(({ sent_at: sent, received_at: received }) => [
      { at: sent, direction: 'sent' as const },
      { at: received, direction: 'received' as const },
    ])
    .flatMap(({ at, direction }) => (at === null ? [] : [{ at, direction }]))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  return {
    id,
    ...describeNames(rows),
    seenAt: new Date(Math.max(...rows.map((row) => row.seen_at.getTime()))),
    lastMessage: messages[0] ?? null,
    names: rows.map(({ name, learned_at: learnedAt }) => ({
      name,
      since: new Date(learnedAt.getTime() - SLACK_MS),
    })),
  };
}
