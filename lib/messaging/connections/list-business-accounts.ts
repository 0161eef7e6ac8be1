import { listReachableAccounts } from '#lib/messaging/platform/discovery.ts';
import { callForScreen } from './call-for-screen.ts';
import type { MessagingContext } from './context.ts';
import type { BusinessAccountView } from './schema.ts';
import { toAccountView } from './to-views.ts';

/** Every business account that the connection reaches, owned and client ones, as the platform lists them now. @throws AppError */
export async function listBusinessAccounts(
  ctx: MessagingContext,
  { id }: { id: string },
): Promise<BusinessAccountView[]> {
  const accounts = await callForScreen(ctx, id, 'Account discovery failure', listReachableAccounts);
  return accounts.map(toAccountView);
}
