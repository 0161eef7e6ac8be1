// How many customers a business portfolio may write to first within 24 hours, over all its numbers.
import { GraphError } from '../graph-error.ts';
import type { MessagingTier, Phone } from '../model.ts';
import { findWindowEnd, type World } from '../world.ts';

const DAY_MS = 24 * 3_600_000;

type PortfolioTier = 'TIER_250' | 'TIER_2K' | 'TIER_10K' | 'TIER_100K' | 'TIER_UNLIMITED';

const CUSTOMERS_PER_DAY: Record<PortfolioTier, number> = {
  TIER_250: 250,
  TIER_2K: 2000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
  TIER_UNLIMITED: Infinity,
};

const ORDER: MessagingTier[] = ['TIER_250', 'TIER_1K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'];

/** The portfolio has the highest tier of its numbers; one that is not verified has 250. */
export function portfolioTierOf(world: World, phone: Phone): PortfolioTier {
  const ownerId = ownerOf(world, phone);
  if (world.businesses.get(ownerId)?.verified === false) return 'TIER_250';
  const ranks = [...world.phones.values()]
    .filter((each) => ownerOf(world, each) === ownerId)
    .map(({ tier }) => ORDER.indexOf(tier));
  const highest = ORDER[Math.max(...ranks)] ?? 'TIER_250';
  return highest === 'TIER_1K' ? 'TIER_2K' : highest;
}

const ownerOf = (world: World, { accountId }: Phone): string =>
  world.accounts.get(accountId)?.ownerBusinessId ?? '';

/**
 * Counts a message to a customer without an open window, each customer once. Throws 131048: no code of its own is documented.
 */
export function takeFromPortfolio(world: World, phone: Phone, customer: string): void {
  const now = world.clock.nowMs();
  if ((findWindowEnd(world, phone.id, customer) ?? 0) > now) return;
  const ownerId = ownerOf(world, phone);
  const reached = world.reachedCustomers.get(ownerId) ?? new Map<string, number>();
  for (const [each, at] of reached) if (at <= now - DAY_MS) reached.delete(each);
  const tier = portfolioTierOf(world, phone);
  if (!reached.has(customer) && reached.size >= CUSTOMERS_PER_DAY[tier])
    throw new GraphError(131048, `The limit of ${tier} of the business portfolio is reached.`);
  world.reachedCustomers.set(ownerId, reached.set(customer, now));
}
