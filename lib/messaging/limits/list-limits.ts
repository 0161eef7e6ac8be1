import type { Context } from '#lib/identity/context.ts';
import type { LimitUse } from '#lib/messaging/schema/number-words.ts';
import { countCustomers, type KnownNumber, listKnownNumbers, sharingNumbers } from './count-customers.ts';

// Messaging limits as screens show them. Isomorphic.

/** A limit of customers in 24 hours, and how much of it is used. */
export interface MessagingLimit extends LimitUse {
  /** What the limit belongs to: a number with its own limit, a business portfolio, or an account with an unknown portfolio. */
  id: string;
  name: string;
  /** Number of phone numbers that share it. */
  numbers: number;
}

/** The limits of all numbers of the workspace, from their last checks; the platform is not queried. */
export async function listLimits(ctx: Pick<Context, 'db' | 'workspaceId'>): Promise<MessagingLimit[]> {
  const known = await listKnownNumbers(ctx);
  const limits = new Map<string, KnownNumber>();
  for (const number of known) limits.set(limitIdOf(number), number);
  return Promise.all([...limits.values()].map((number) => readLimit(ctx, number, known)));
}

/** The limit of a number, from its last check; undefined: the number is unknown. */
export async function findLimitOf(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  phoneNumberId: string,
): Promise<MessagingLimit | undefined> {
  const known = await listKnownNumbers(ctx);
  const number = known.find(({ id }) => id === phoneNumberId);
  return number && readLimit(ctx, number, known);
}

async function readLimit(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  number: KnownNumber,
  known: readonly KnownNumber[],
): Promise<MessagingLimit> {
  const ids = hasOwnLimit(number) ? [number.id] : sharingNumbers(number.accountId, known);
  return {
    id: limitIdOf(number),
    name: hasOwnLimit(number) ? number.label : (number.portfolio?.name ?? number.accountId),
    numbers: ids.length,
    tier: number.tier ?? null,
    portfolioTier: number.portfolioTier ?? null,
    customers: await countCustomers(ctx, ids),
  };
}

const hasOwnLimit = ({ tier }: KnownNumber): boolean => typeof tier === 'string';

const limitIdOf = (number: KnownNumber): string =>
  hasOwnLimit(number) ? number.id : (number.portfolio?.id ?? number.accountId);
