import { groupByPool } from '#lib/core/db/group-commit.ts';
import type { Context } from '#lib/identity/context.ts';
import { namesOfCustomer } from '#lib/messaging/customers/customer-names.ts';
import { WINDOW_HOURS } from '#lib/messaging/schema/messaging.ts';
import { readRecipient } from './recipient.ts';

/** The state of the customer service window between a number and a customer, for screens. */
export interface CustomerWindow {
  /** The recipient for messages: digits only, or a user id. */
  customer: string;
  /** `unknown`: no message of theirs was ever reported; the platform decides. */
  state: 'open' | 'closed' | 'unknown';
  /** ISO 8601. */
  lastMessageAt: string | null;
  closesAt: string | null;
}

const WINDOW_MS = WINDOW_HOURS * 3_600_000;

/** A window known from notifications: when it closes or closed. */
export interface ConversationWindow {
  lastMessageAt: Date;
  closesAt: Date;
}

/** Whether the window is closed, so that only message templates can be sent. */
export const isWindowClosed = ({ closesAt }: ConversationWindow, now: Date): boolean => closesAt <= now;

/**
 * The 24-hour window between a number and a customer, under any of their names. Undefined: no message of the customer was
 * ever reported; then only the platform knows whether there is a window. Those that a process asks for at the same time share a
 * query.
 */
export const findWindow = (
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  pair: { phoneNumberId: string; customer: string },
): Promise<ConversationWindow | undefined> => windowsTogether(db.$client).add({ ...pair, workspaceId });

const FIND = `
select asked.place, (
    select max(own.last_message_at) from (${namesOfCustomer('asked.workspace_id', 'asked.customer')}) as known(name)
    cross join lateral (
      select w.last_message_at from conversation_windows w
      where w.workspace_id = asked.workspace_id and w.phone_number_id = asked.phone_number_id and w.customer = known.name offset 0
    ) own
  ) as last_message_at
from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as asked(workspace_id, phone_number_id, customer, place)
order by asked.place`;

interface Asked {
  workspaceId: string;
  phoneNumberId: string;
  customer: string;
}

const windowsTogether = groupByPool(async (pool, asked: Asked[]) => {
  const { rows } = await pool.query<{ last_message_at: Date | null }>({
    name: 'find_windows',
    text: FIND,
    values: [
      asked.map(({ workspaceId }) => workspaceId),
      asked.map(({ phoneNumberId }) => phoneNumberId),
      asked.map(({ customer }) => customer),
    ],
  });
  return rows.map(({ last_message_at: lastMessageAt }): ConversationWindow | undefined =>
    lastMessageAt === null
      ? undefined
      : { lastMessageAt, closesAt: new Date(lastMessageAt.getTime() + WINDOW_MS) },
  );
});

/** The state of the 24-hour window for a typed recipient; null where it is invalid. */
export async function describeWindow(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { phoneNumberId, recipient }: { phoneNumberId: string; recipient: string },
  now = new Date(),
): Promise<CustomerWindow | null> {
  const read = readRecipient(recipient.trim());
  if (!read.value) return null;
  const customer = read.value.id;
  const window = await findWindow(ctx, { phoneNumberId, customer });
  if (!window) return { customer, state: 'unknown', lastMessageAt: null, closesAt: null };
  return {
    customer,
    state: isWindowClosed(window, now) ? 'closed' : 'open',
    lastMessageAt: window.lastMessageAt.toISOString(),
    closesAt: window.closesAt.toISOString(),
  };
}
