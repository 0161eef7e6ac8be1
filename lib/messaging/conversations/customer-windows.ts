import type { Context } from '#lib/identity/context.ts';
import { listKnownNumbers } from '#lib/messaging/limits/count-customers.ts';
import { type ConversationWindow, findWindow } from '#lib/messaging/sending/find-window.ts';
import type { CustomerRow } from '#lib/messaging/customers/customer-rows.ts';

export interface WindowWithNumber extends ConversationWindow {
  phoneNumberId: string;
  /** The number as it is displayed; its id where it is not known. */
  label: string;
}

/** A customer who writes to several numbers writes to each of them now and then. */
const MAX_READ_OF_NAME = 100;

const WRITTEN_TO = `
select distinct m.phone_number_id as id from unnest($2::text[], $3::timestamptz[]) as n(name, since)
cross join lateral (
  select phone_number_id from received_messages
  where workspace_id = $1 and (customer, received_at) <= (n.name, 'infinity') and (customer, received_at) >= (n.name, n.since)
  order by workspace_id desc, customer desc, received_at desc limit ${MAX_READ_OF_NAME}
) m order by 1`;

/** Ids of the business's numbers that a customer wrote to lately. */
async function listWrittenTo(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  { names }: CustomerRow,
): Promise<string[]> {
  const values = [workspaceId, names.map(({ name }) => name), names.map(({ since }) => since)];
  return (await db.$client.query<{ id: string }>(WRITTEN_TO, values)).rows.map(({ id }) => id);
}

/** The windows of a customer with each number of the business that they wrote to, open or not. */
export async function listWindows(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  customer: CustomerRow,
): Promise<WindowWithNumber[]> {
  const [known, written] = await Promise.all([listKnownNumbers(ctx), listWrittenTo(ctx, customer)]);
  const labels = new Map([
    ...written.map((id): [string, string] => [id, id]),
    ...known.map(({ id, label }): [string, string] => [id, label]),
  ]);
  const name = customer.names[0]?.name ?? '';
  const windows = await Promise.all(
    [...labels].map(async ([phoneNumberId, label]) => {
      const window = await findWindow(ctx, { phoneNumberId, customer: name });
      return window ? [{ ...window, phoneNumberId, label }] : [];
    }),
  );
  return windows.flat();
}
