import {
  type BusinessAccount,
  findAccount,
  listReachableAccounts,
} from '#lib/messaging/platform/discovery.ts';
import type { GraphAccess } from '#lib/messaging/platform/graph.ts';
import { isLastingRefusal } from '#lib/messaging/platform/platform-error.ts';
import { callForScreen } from './call-for-screen.ts';
import type { MessagingContext } from './context.ts';
import { loadConnectionRow } from './load-connection.ts';
import type { BusinessAccountView } from './schema.ts';
import { toAccountView } from './to-views.ts';

/**
 * Every business account that the connection reaches, owned and client ones, as the platform lists them now, and its own one,
 * if it answers, where the platform lists it not.
 * @throws AppError
 */
export async function listBusinessAccounts(
  ctx: MessagingContext,
  { id }: { id: string },
): Promise<BusinessAccountView[]> {
  const { businessAccountId } = await loadConnectionRow(ctx, id);
  const accounts = await callForScreen(ctx, id, 'Account discovery failure', (access) =>
    businessAccountId === null ? listReachableAccounts(access) : listWithOwn(access, businessAccountId),
  );
  return accounts.map(toAccountView);
}

async function listWithOwn(access: GraphAccess, ownId: string): Promise<BusinessAccount[]> {
  try {
    const listed = await listReachableAccounts(access);
    if (listed.some(({ id }) => id === ownId)) return listed;
    const own = await findAccount(access, ownId);
    return own ? [...listed, own] : listed;
  } catch (error) {
    const own = isLastingRefusal(error) ? await findAccount(access, ownId) : undefined;
    if (!own) throw error;
    return [own];
  }
}
