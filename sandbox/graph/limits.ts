import type { MessagingTier, Phone } from '../model.ts';
import { isStrict } from '../strict.ts';
import { takeFromPortfolio } from './portfolio-limit.ts';
import { fateOf } from '../special-numbers.ts';
import type { World } from '../world.ts';
import { GraphError } from '../graph-error.ts';

const DAY_MS = 24 * 3_600_000;
const UNVERIFIED_PER_DAY = 250;

/** Messages per 24 hours (spec, Limits); TIER_250 is what unverified businesses have. */
const PER_DAY: Record<MessagingTier, number> = {
  TIER_250: UNVERIFIED_PER_DAY,
  TIER_1K: 1000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
  TIER_UNLIMITED: Infinity,
};

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
  const { messages_per_second: rate, pair_burst: burst, pair_refill_seconds: refillSeconds } = settings;
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

/** Instants of the last 24 hours, oldest first; older ones are thrown away in passing. */
function recent(world: World, key: string): number[] {
  const since = world.clock.nowMs() - DAY_MS;
  const instants = world.sentToday.get(key) ?? [];
  const first = instants.findIndex((instant) => instant > since);
  const kept = first === 0 ? instants : first === -1 ? [] : instants.slice(first);
  world.sentToday.set(key, kept);
  return kept;
}
