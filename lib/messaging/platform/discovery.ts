// The accounts and numbers that a token can access, for the pickers.
import * as z from 'zod';
import type { JsonObject } from '#lib/core/json/value.ts';
import { field, objectOf, text, textOrNull } from '#lib/messaging/platform-fields.ts';
import { toText } from '#lib/variables/to-text.ts';
import { callGraph, type GraphAccess, readAll } from './graph.ts';
import { inspectToken } from './inspect-token.ts';
import { isLastingRefusal, PlatformError } from './platform-error.ts';

export interface BusinessAccount {
  id: string;
  name: string;
  /** Null when the platform only returned the id. */
  businessName: string | null;
  /** Whether the business owns it or it was shared by a client. */
  relation: 'owned' | 'client' | 'granted';
}

export interface PhoneNumber {
  id: string;
  displayPhoneNumber: string;
  verifiedName: string;
  /** GREEN, YELLOW, RED, or UNKNOWN. */
  qualityRating: string;
  /** Such as TIER_1K; null when the platform does not return it. */
  tier: string | null;
  /** The limit of all numbers of the business portfolio together; null when the platform does not return it. */
  portfolioTier: string | null;
  /** STANDARD or HIGH: how many messages a second it may send; null when the platform does not return it. */
  throughput: string | null;
  status: string | null;
}

const namedSchema = z.object({ id: text, name: text });
const phoneSchema = z.object({
  id: text,
  display_phone_number: text,
  verified_name: text,
  quality_rating: field((value) => toText(value) || 'UNKNOWN'),
  messaging_limit_tier: textOrNull,
  throughput: objectOf({ level: textOrNull }),
  status: textOrNull,
});
const portfolioFieldOf = ({ product }: GraphAccess['settings']): string =>
  `${product}_business_manager_messaging_limit`;

const PHONE_FIELDS =
  'id,display_phone_number,verified_name,quality_rating,messaging_limit_tier,throughput,status';

/**
 * Every business account that the token can access: owned and client accounts of every business, and those that are only in its
 * grants. Accounts are still found where listing businesses is not allowed.
 * @throws PlatformError
 */
export async function listReachableAccounts(access: GraphAccess): Promise<BusinessAccount[]> {
  const found = new Map<string, BusinessAccount>();
  let refusal: PlatformError | undefined;
  try {
    for (const account of await listOfBusinesses(access))
      if (!found.has(account.id)) found.set(account.id, account);
  } catch (error) {
    if (!isLastingRefusal(error)) throw error;
    refusal = error;
  }
  for (const id of await listGrantedIds(access)) {
    if (found.has(id)) continue;
    const account = await findGranted(access, id);
    if (account) found.set(id, account);
  }
  if (found.size === 0 && refusal) throw refusal;
  return [...found.values()];
}

async function listOfBusinesses(access: GraphAccess): Promise<BusinessAccount[]> {
  const { product } = access.settings;
  const accounts: BusinessAccount[] = [];
  const query = { fields: 'id,name' };
  for (const business of await readAll(access, { path: ['me', 'businesses'], query }, namedSchema)) {
    for (const relation of ['owned', 'client'] as const) {
      const path = [business.id, `${relation}_${product}_business_accounts`];
      for (const account of await readAll(access, { path, query }, namedSchema))
        accounts.push({ ...account, businessName: business.name, relation });
    }
  }
  return accounts;
}

/** The platform may refuse to inspect the token: then only the businesses' accounts are listed. */
async function listGrantedIds(access: GraphAccess): Promise<string[]> {
  try {
    return (await inspectToken(access)).accountIds;
  } catch (error) {
    if (isLastingRefusal(error)) return [];
    throw error;
  }
}

/**
 * A business account by its id, whether the platform lists it or not: it is accessible if its numbers can be read, whatever the
 * token's scopes are called. Undefined: access is refused, or it does not exist.
 * @throws PlatformError
 */
export async function findAccount(access: GraphAccess, id: string): Promise<BusinessAccount | undefined> {
  try {
    await listPhones(access, id);
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
  return (await findGranted(access, id)) ?? { id, name: id, businessName: null, relation: 'granted' };
}

const ownerSchema = z.object({ owner_business_info: namedSchema });

/**
 * The owner of a business account: the portfolio whose numbers share a limit. Undefined: the platform does not return it to
 * this token.
 * @throws PlatformError
 */
export async function findPortfolio(
  access: GraphAccess,
  accountId: string,
): Promise<{ id: string; name: string } | undefined> {
  try {
    const query = { fields: 'owner_business_info' };
    const answer = await callGraph(access, { method: 'GET', path: [accountId], query });
    const { id, name } = ownerSchema.safeParse(answer).data?.owner_business_info ?? { id: '', name: '' };
    return id === '' ? undefined : { id, name: name || id };
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

/** Whether access to an object is refused, or no object of its kind has this id. */
export const isOutOfReach = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && ['permission', 'unknown_object', 'parameters'].includes(error.kind);

async function findGranted(access: GraphAccess, id: string): Promise<BusinessAccount | undefined> {
  try {
    const answer = await callGraph(access, { method: 'GET', path: [id], query: { fields: 'id,name' } });
    return { id, name: namedSchema.parse(answer).name || id, businessName: null, relation: 'granted' };
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

/** The numbers of a business account with their quality. @throws PlatformError */
export async function listPhones(access: GraphAccess, businessAccountId: string): Promise<PhoneNumber[]> {
  const path = [businessAccountId, 'phone_numbers'];
  const portfolioField = portfolioFieldOf(access.settings);
  const schema = z.transform((phone: JsonObject) => ({
    ...phoneSchema.parse(phone),
    portfolioTier: textOrNull.parse(phone[portfolioField]),
  }));
  const list = (fields: string) => readAll(access, { path, query: { fields } }, schema);
  const phones = await list(`${PHONE_FIELDS},${portfolioField}`).catch((error: unknown) => {
    // Older versions of the API do not have the portfolio's field.
    if (error instanceof PlatformError && error.kind === 'parameters') return list(PHONE_FIELDS);
    throw error;
  });
  return phones.map((phone) => ({
    id: phone.id,
    displayPhoneNumber: phone.display_phone_number,
    verifiedName: phone.verified_name,
    qualityRating: phone.quality_rating,
    tier: phone.messaging_limit_tier,
    portfolioTier: phone.portfolioTier,
    throughput: phone.throughput.level,
    status: phone.status,
  }));
}
