import { GraphError } from '../graph-error.ts';
import type { GraphNode, MessagingTier, Phone, Template } from '../model.ts';
import { PRODUCT } from '../product.ts';
import { isStrict } from '../settings.ts';
import { fateOf } from '../special-numbers.ts';
import { findWindowEnd, type World } from '../world.ts';
import { accountIdOf } from './access.ts';
import type { GraphCall } from './graph-call.ts';

const DAY_MS = 24 * 3_600_000;
const UNVERIFIED_PER_DAY = 250;

/** Messages per 24 hours (spec, Limits); unverified businesses have TIER_250. */
const PER_DAY: Record<MessagingTier, number> = {
  TIER_250: UNVERIFIED_PER_DAY,
  TIER_1K: 1000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
  TIER_UNLIMITED: Infinity,
};

/** Of a number whose throughput is HIGH. */
const HIGH_PER_SECOND = 1000;

/**
 * Counts one message against every limit. Throws 130429 (throughput) and 131056 (one customer) with a
 * Retry-After, 80007 for the tier and for the 250 a day of unverified businesses; strict: 131048 for the portfolio instead.
 */
export function takeFromLimits(world: World, phone: Phone, customer: string): void {
  const { settings, clock, buckets } = world;
  if (fateOf(customer) === 'pair_limited') {
    throw new GraphError(131056, 'Too many messages to this customer.', {
      retryAfterSeconds: settings.pair_refill_seconds,
    });
  }
  if (isStrict(world) && world.settings.enforce_daily_limits) takeFromPortfolio(world, phone, customer);
  else assertDay(world, phone);
  const { messages_per_second: standard, pair_burst: burst, pair_refill_seconds: refillSeconds } = settings;
  const rate = phone.throughput === 'HIGH' ? HIGH_PER_SECOND : standard;
  const throughputWait = buckets.take(`phone:${phone.id}`, rate, rate, clock.nowMs());
  if (throughputWait > 0) {
    throw new GraphError(
      130429,
      'Message failed to send because too many messages were sent from this number at once.',
      {
        retryAfterSeconds: throughputWait,
      },
    );
  }
  const pairWait = buckets.take(`pair:${phone.id}/${customer}`, burst, 1 / refillSeconds, clock.nowMs());
  if (pairWait > 0) {
    throw new GraphError(131056, 'Too many messages from this number to the same customer in a short time.', {
      retryAfterSeconds: pairWait,
    });
  }
  for (const { key } of dayLimits(world, phone)) recent(world, key).push(clock.nowMs());
}

function assertDay(world: World, phone: Phone): void {
  if (!world.settings.enforce_daily_limits) return;
  for (const { key, limit, words } of dayLimits(world, phone)) {
    if (recent(world, key).length >= limit)
      throw new GraphError(80007, `${words} of ${limit} messages in 24 hours is reached.`);
  }
}

function dayLimits(world: World, phone: Phone): { key: string; limit: number; words: string }[] {
  const owner = world.businesses.get(world.accounts.get(phone.accountId)?.ownerBusinessId ?? '');
  const limits = [
    { key: `phone:${phone.id}`, limit: PER_DAY[phone.tier], words: `The limit of ${phone.tier}` },
  ];
  if (owner && !owner.verified) {
    limits.push({
      key: `business:${owner.id}`,
      limit: UNVERIFIED_PER_DAY,
      words: 'The limit of unverified businesses',
    });
  }
  return limits.filter(({ limit }) => limit !== Infinity);
}

/** Instants of the last 24 hours, oldest first; older ones are removed. */
function recent(world: World, key: string): number[] {
  const since = world.clock.nowMs() - DAY_MS;
  const instants = world.sentToday.get(key) ?? [];
  const first = instants.findIndex((instant) => instant > since);
  const kept = first === 0 ? instants : first === -1 ? [] : instants.slice(first);
  world.sentToday.set(key, kept);
  return kept;
}

// What prevents a business from sending any message: a restricted account, or no payment method.

/** Throws the code of the account's restriction (403), or 131042 for a template without a payment method. */
export function assertAccountSends(world: World, phone: Phone, template: Template | null): void {
  const account = world.accounts.get(phone.accountId);
  if (account?.restriction) throw new GraphError(account.restriction, 'The account may not send messages.');
  if (template && account && !account.hasPaymentMethod)
    throw new GraphError(131042, 'Message failed to send because there is no valid payment method.');
}

/** Why the platform accepts a template and does not deliver it to this customer, or null. */
export function findLateRefusal(
  world: World,
  customer: string,
  template: Template | null,
): GraphError | null {
  if (template?.pacing === 'paused')
    return new GraphError(132015, `Template (${template.name}) is paused due to low quality.`);
  if (isStrict(world) && template?.category === 'MARKETING' && isAmerican(customer))
    return new GraphError(131049, 'Marketing messages are not delivered to numbers of the United States.');
  return null;
}

/** Country code 1 and ten digits. Canada's numbers, which have the same code, are not distinguished here. */
const isAmerican = (customer: string): boolean => /^1\d{10}$/.test(customer);

// Limit of customers that a business portfolio may message first within 24 hours, over all its numbers.

type PortfolioTier = 'TIER_250' | 'TIER_2K' | 'TIER_10K' | 'TIER_100K' | 'TIER_UNLIMITED';

const CUSTOMERS_PER_DAY: Record<PortfolioTier, number> = {
  TIER_250: 250,
  TIER_2K: 2000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
  TIER_UNLIMITED: Infinity,
};

const ORDER: MessagingTier[] = ['TIER_250', 'TIER_1K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'];

/** The portfolio has the highest tier of its numbers; an unverified one has 250. */
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
 * Counts a message to a customer without an open window, each customer once. Throws 131048: the documentation has no separate
 * code.
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

// The platform counts management calls (everything but sending and files) per app and account, and returns the used share.

const HOUR_MS = 3_600_000;

/** Edges of phone numbers with their own limits. */
const OTHER_EDGES = new Set(['messages', 'media']);

/** Counts a call and sets the headers with the usage. Strict: throws 80007 when the hour's calls are used up. */
export function takeManagementCall(call: GraphCall, node: GraphNode, edge: string): void {
  const { world } = call;
  if (node.kind === 'business' || node.kind === 'message' || node.kind === 'media') return;
  if (OTHER_EDGES.has(edge)) return;
  const accountId = accountIdOf(world, node);
  const limit = limitOf(world, accountId);
  const now = world.clock.nowMs();
  const instants = (world.managementCalls.get(accountId) ?? []).filter((at) => at > now - HOUR_MS);
  world.managementCalls.set(accountId, instants);
  const isUsedUp = isStrict(world) && instants.length >= limit;
  if (instants.length < limit) instants.push(now);
  const regainMinutes = isUsedUp ? Math.ceil(((instants[0] ?? now) + HOUR_MS - now) / 60_000) : 0;
  setHeaders(call, accountId, Math.floor((instants.length / limit) * 100), regainMinutes);
  if (isUsedUp)
    throw new GraphError(80007, `There have been ${limit} calls to this account in the last hour.`, {
      retryAfterSeconds: regainMinutes * 60,
    });
}

/** More with a registered number. */
function limitOf(world: World, accountId: string): number {
  const hasNumber = [...world.phones.values()].some(
    (phone) => phone.accountId === accountId && phone.status === 'CONNECTED',
  );
  const { management_calls_per_hour: full, management_calls_per_hour_unregistered: few } = world.settings;
  return hasNumber ? full : few;
}

function setHeaders({ headers }: GraphCall, accountId: string, percent: number, regainMinutes: number): void {
  const usage = { call_count: percent, total_cputime: 0, total_time: 0 };
  const ofAccount = { type: PRODUCT, ...usage, estimated_time_to_regain_access: regainMinutes };
  headers['x-app-usage'] = JSON.stringify(usage);
  headers['x-business-use-case-usage'] = JSON.stringify({ [accountId]: [ofAccount] });
}
