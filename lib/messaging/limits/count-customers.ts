import { sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import type { Context } from '#lib/identity/context.ts';
import { namesOfCustomer } from '#lib/messaging/customers/customer-names.ts';
import type { PhoneFacts, Portfolio } from '#lib/messaging/schema/fact-types.ts';
import { WINDOW_HOURS } from '#lib/messaging/schema/messaging.ts';

type WorkspaceContext = Pick<Context, 'db' | 'workspaceId'>;

/** A count is used again for this many times as long as counting took: open pages together cost at most 5 % of a processor. */
const REUSE_FACTOR = 20;
const MAX_REUSE_MS = 60_000;
/** The platform's messaging limit counts the customers of this many hours. */
const LIMIT_HOURS = 24;

interface Counted {
  /** Null: it is being counted. */
  untilMs: number | null;
  count: Promise<number>;
}

const counted = new WeakMap<Database, Map<string, Counted>>();

/**
 * How many different customers were sent a message template outside an open window in the last 24 hours, by any of these
 * numbers: a customer who is known by a number and a user id counts once. Messages that other systems sent are unknown here.
 */
export async function countCustomers(
  ctx: WorkspaceContext,
  phoneNumberIds: readonly string[],
): Promise<number> {
  const known = counted.get(ctx.db) ?? new Map<string, Counted>();
  counted.set(ctx.db, known);
  const startMs = performance.now();
  for (const [key, { untilMs }] of known) if (untilMs !== null && untilMs <= startMs) known.delete(key);
  const ids = [...new Set(phoneNumberIds)].sort();
  const key = [ctx.workspaceId, ...ids].join(' ');
  const before = known.get(key);
  if (before) return before.count;
  const entry: Counted = { untilMs: null, count: readCount(ctx, ids) };
  known.set(key, entry);
  try {
    return await entry.count;
  } finally {
    const endMs = performance.now();
    entry.untilMs = endMs + Math.min((endMs - startMs) * REUSE_FACTOR, MAX_REUSE_MS);
  }
}

/** Customers are looked up one by one: whatever the planner believes, the names of all customers are not read. */
async function readCount({ db, workspaceId }: WorkspaceContext, ids: readonly string[]): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from (
      select distinct coalesce((
        select n.customer_id::text from customer_names n
        where n.workspace_id = ${workspaceId} and n.name = reached.recipient
      ), reached.recipient)
      from (
        select distinct recipient from business_initiated_messages
        where workspace_id = ${workspaceId} and phone_number_id = any(${sql.param(ids)}::text[])
          and sent_at > now() - make_interval(hours => ${LIMIT_HOURS})
      ) reached
    ) customers`);
  return rows[0]?.count ?? 0;
}

// Which messages count against the platform's limit of customers: templates to customers without an open window.

/**
 * SQL: counts message templates that the platform accepted and that did not fail, except those to a customer who wrote to the number
 * in the last 24 hours. Once for each message. Looked up one by one: a plan for `not exists` that was made while the tables were
 * empty reads all of them (record-sent.db.test.ts).
 * @param templates a query in parentheses of `workspace_id`, `message_id`, `phone_number_id` and `recipient`
 */
export const countMessages = (templates: string): string => `
  insert into business_initiated_messages (workspace_id, message_id, phone_number_id, recipient)
  select workspace_id, message_id, phone_number_id, recipient from ${templates} sent
  where (
    select true from (${namesOfCustomer('sent.workspace_id', 'sent.recipient')}) as known(name) cross join lateral (
      select from conversation_windows w
      where w.workspace_id = sent.workspace_id and w.phone_number_id = sent.phone_number_id and w.customer = known.name
        and w.last_message_at > now() - make_interval(hours => ${WINDOW_HOURS}) offset 0
    ) own
    limit 1
  ) is null
  order by workspace_id, message_id
  on conflict do nothing`;

/** Of messages that failed after they were accepted ($1 workspaces, $2 messages): the limit is of customers that got one. */
export const UNCOUNT_MESSAGES = `
delete from business_initiated_messages b using unnest($1::uuid[], $2::text[]) as failed(workspace_id, message_id)
where b.workspace_id = failed.workspace_id and b.message_id = failed.message_id`;

/** A number of a connection's account, from the last check. */
export interface KnownNumber extends PhoneFacts {
  accountId: string;
  /** Null: the platform did not return it. */
  portfolio: Portfolio | null;
}

interface AccountRow extends Record<string, unknown> {
  id: string;
  portfolio: Portfolio | null;
  phones: PhoneFacts[];
}

/** The numbers of all accounts of the workspace's connections, each once. Templates stay in the database: they can be megabytes. */
export async function listKnownNumbers({
  db,
  workspaceId,
}: Pick<Context, 'db' | 'workspaceId'>): Promise<KnownNumber[]> {
  const { rows } = await db.execute<AccountRow>(sql`
    select account ->> 'id' as id, account -> 'portfolio' as portfolio, account -> 'phones' as phones
    from connections c
    join connection_facts f on f.connection_id = c.id
    cross join json_array_elements(f.accounts) account
    where c.workspace_id = ${workspaceId} and account ->> 'problem' is null
    order by f.connection_id`);
  const numbers = new Map<string, KnownNumber>();
  for (const { id: accountId, portfolio, phones } of rows)
    for (const phone of phones) numbers.set(phone.id, { ...phone, accountId, portfolio });
  return [...numbers.values()];
}

/** Ids of all numbers that share the limit of an account's portfolio; where it is unknown, of the account's own. */
export function sharingNumbers(accountId: string, known: readonly KnownNumber[]): string[] {
  const owner = known.find((each) => each.accountId === accountId)?.portfolio?.id;
  return known
    .filter((each) => each.accountId === accountId || (owner !== undefined && each.portfolio?.id === owner))
    .map(({ id }) => id);
}
