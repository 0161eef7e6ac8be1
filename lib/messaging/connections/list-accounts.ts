import { AppError } from '#lib/core/errors.ts';
import { countCustomers, listKnownNumbers, sharingNumbers } from '#lib/messaging/limits/count-customers.ts';
import {
  type BusinessAccount,
  findAccount,
  listPhones,
  listReachableAccounts,
  type PhoneNumber,
} from '#lib/messaging/platform/discovery.ts';
import type { GraphAccess } from '#lib/messaging/platform/graph.ts';
import { isLastingRefusal } from '#lib/messaging/platform/platform-error.ts';
import { limitsAtLevel, type SendLimits } from '#lib/messaging/platform/settings.ts';
import { callForScreen } from './call-for-screen.ts';
import { loadConnectionRow } from './connection-rows.ts';
import type { MessagingContext } from './context.ts';
import type { BusinessAccountView, PhoneNumberView } from './schema.ts';

/**
 * Every business account that the connection can access, owned and client ones, from the platform's current list, and its own
 * one, if it is accessible but not listed.
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

/**
 * The current numbers of a business account with their quality, and how much of their limit is used.
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
  const sharing = [
    ...phones.map((phone) => phone.id),
    ...sharingNumbers(accountId, await listKnownNumbers(ctx)),
  ];
  return Promise.all(
    phones.map(async (phone) =>
      toPhoneView(phone, {
        customers: await countCustomers(ctx, phone.tier === null ? sharing : [phone.id]),
        limits: limitsAtLevel(ctx.platform.limits, phone.throughput),
      }),
    ),
  );
}

/** The requested business account, or the connection's own. @throws AppError `invalid_request`, `not_found` */
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

export const toAccountView = ({
  id,
  name,
  businessName,
  relation,
}: BusinessAccount): BusinessAccountView => ({
  id,
  name,
  business_name: businessName,
  relation,
});

const toPhoneView = (
  phone: PhoneNumber,
  { customers, limits }: { customers: number; limits: SendLimits },
): PhoneNumberView => ({
  id: phone.id,
  display_phone_number: phone.displayPhoneNumber,
  verified_name: phone.verifiedName,
  quality_rating: phone.qualityRating,
  messaging_limit_tier: phone.tier,
  portfolio_messaging_limit: phone.portfolioTier,
  customers_in_24_hours: customers,
  messages_per_second: limits.messagesPerSecond,
  status: phone.status,
});
