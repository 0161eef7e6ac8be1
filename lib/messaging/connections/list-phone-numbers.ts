import { AppError } from '#lib/core/errors.ts';
import { listPhones } from '#lib/messaging/platform/discovery.ts';
import { callForScreen } from './call-for-screen.ts';
import type { MessagingContext } from './context.ts';
import { loadConnectionRow } from './load-connection.ts';
import type { PhoneNumberView } from './schema.ts';
import { toPhoneView } from './to-views.ts';

/**
 * The numbers of a business account with their quality, as the platform lists them now.
 * @param businessAccountId the connection's own when left out. @throws AppError
 */
export async function listPhoneNumbers(
  ctx: MessagingContext,
  { id, businessAccountId }: { id: string; businessAccountId?: string | undefined },
): Promise<PhoneNumberView[]> {
  const accountId = await chooseAccountId(ctx, id, businessAccountId);
  const phones = await callForScreen(ctx, id, 'Account discovery failure', (access) =>
    listPhones(access, accountId),
  );
  return phones.map(toPhoneView);
}

/** The business account that was asked for, or the connection's own. @throws AppError `invalid_request`, `not_found` */
export async function chooseAccountId(
  ctx: MessagingContext,
  id: string,
  asked: string | undefined,
): Promise<string> {
  const row = await loadConnectionRow(ctx, id);
  const accountId = asked ?? row.businessAccountId;
  if (accountId !== null) return accountId;
  throw new AppError('invalid_request', 'The connection has no business account. Specify one.', {
    problems: [{ path: 'business_account_id', message: 'Enter the ID of a business account.' }],
  });
}
