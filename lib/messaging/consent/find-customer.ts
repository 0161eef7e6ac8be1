import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { namesOfCustomer } from '#lib/messaging/customers/customer-names.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';

/** A customer under all of their known names, also one of whom nothing else is known. */
export interface NamedCustomer {
  /** Null: nothing but the name is known. */
  customerId: string | null;
  /** Never empty. */
  names: string[];
}

const OF_ID = `
select name, customer_id from customer_names
where workspace_id = $1 and customer_id = coalesce(
  (select joined_id from joined_customers where workspace_id = $1 and customer_id = $2), $2) order by name`;
const OF_NAME = `
select asked.name, k.customer_id from (${namesOfCustomer('$1', '$2')}) asked(name)
left join customer_names k on k.workspace_id = $1 and k.name = asked.name order by asked.name`;

/**
 * A customer of the workspace.
 * @param reference the customer's id, a number in international form with or without `+`, or a user id
 * @throws AppError `not_found`
 */
export async function findCustomer(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  reference: string,
): Promise<NamedCustomer> {
  const isOfId = isId(reference);
  const name = isOfId ? reference : readRecipient(reference).value?.id;
  if (name === undefined)
    throw new AppError(
      'not_found',
      'Use the ID of a customer, or a number with its country code, for example 15550101002.',
    );
  const { rows } = await db.$client.query<{ name: string; customer_id: string | null }>(
    isOfId ? OF_ID : OF_NAME,
    [workspaceId, name],
  );
  if (rows.length === 0) throw new AppError('not_found', 'There is no such customer in this workspace.');
  return {
    customerId: rows.find(({ customer_id: id }) => id !== null)?.customer_id ?? null,
    names: [...new Set(rows.map((row) => row.name))],
  };
}
