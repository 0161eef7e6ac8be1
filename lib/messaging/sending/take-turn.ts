// Rate limits for sending. Each number, and each pair of number and customer that gets many, has one row with the due time of its
// next message if all were evenly spaced; taking turns advances it, for all processes together, in one statement for all messages
// of this process that are due.
import { LRUCache } from 'lru-cache';
import { perPool, type Pool } from '#lib/core/db/client.ts';
import { groupByPool } from '#lib/core/db/group-commit.ts';
import type { ExceededRate } from '#lib/messaging/platform/error-table.ts';
import { limitsAtLevel, type SendLimits } from '#lib/messaging/platform/settings.ts';

export interface TurnRequest {
  phoneNumberId: string;
  recipient: string;
  /** The same at each attempt of one task run: a turn reserved for later is kept for it. */
  turnKey: string;
  /** No turn was reserved for it before. */
  isFirstAttempt: boolean;
  limits: SendLimits;
}

/** Maximum wait in the process; longer waits release it, and their turn is kept. */
const LONGEST_WAIT_MS = 4000;
/** Below the platform's burst, because its clock differs from ours. */
const BURST_SECONDS = 0.25;

/** `wait`: sleep, then send. `later`: retry then, the turn is kept. */
export type Turn = { kind: 'wait'; waitMs: number } | { kind: 'later'; seconds: number };

/** Takes the next turn of a number to a customer, or the one that was kept for this task run. */
export const takeTurn = (pool: Pool, request: TurnRequest): Promise<Turn> => turns(pool).add(request);

const turns = groupByPool(async (pool, requests: TurnRequest[]): Promise<Turn[]> => {
  const kept = await fetchKeptTurns(
    pool,
    requests.filter(({ isFirstAttempt }) => !isFirstAttempt),
  );
  const others = requests.filter(({ turnKey }) => !kept.has(turnKey));
  const reserved = await reserve(pool, others);
  const waits = requests.map((request) => kept.get(request.turnKey) ?? reserved.get(request) ?? 0);
  const isLater = (place: number): boolean => (waits[place] ?? 0) > LONGEST_WAIT_MS;
  await keepTurns(
    pool,
    requests.flatMap(({ turnKey }, place) => (isLater(place) ? [[turnKey, waits[place] ?? 0]] : [])),
  );
  return waits.map((waitMs, place) =>
    isLater(place) ? { kind: 'later', seconds: waitMs / 1000 } : { kind: 'wait', waitMs },
  );
});

/**
 * The platform refused a message because of a rate: the next one is sent this many seconds from now at the earliest, by whichever
 * process. Turns that were given before keep their time.
 */
export async function slowDown(
  pool: Pool,
  request: Pick<TurnRequest, 'phoneNumberId' | 'recipient' | 'limits'>,
  rate: ExceededRate,
  seconds: number,
): Promise<void> {
  const { rateKey, takesMs, freeMs } = sharesOf(request)[rate];
  const aheadMs = freeMs - takesMs + seconds * 1000;
  pairCounts(pool).noteRefused(rateKey, aheadMs);
  await pool.query({
    name: 'slow_down',
    text: `insert into send_rates as rate (rate_key, next_at) values ($1, clock_timestamp() + make_interval(secs => $2))
           on conflict (rate_key) do update set next_at = greatest(rate.next_at, excluded.next_at)`,
    values: [rateKey, aheadMs / 1000],
  });
}

/** @returns the waits by turn key. */
async function fetchKeptTurns(pool: Pool, requests: readonly TurnRequest[]): Promise<Map<string, number>> {
  if (requests.length === 0) return new Map();
  const { rows } = await pool.query<{ turn_key: string; wait_ms: number }>({
    name: 'fetch_turns',
    text: `delete from send_turns where turn_key = any($1::text[])
           returning turn_key, greatest(0, extract(epoch from turn_at - clock_timestamp()) * 1000)::float8 as wait_ms`,
    values: [requests.map(({ turnKey }) => turnKey)],
  });
  return new Map(rows.map(({ turn_key, wait_ms }) => [turn_key, wait_ms]));
}

async function keepTurns(
  pool: Pool,
  later: readonly (readonly [turnKey: string, waitMs: number])[],
): Promise<void> {
  if (later.length === 0) return;
  const byKey = [...new Map(later)].sort(([a], [b]) => (a < b ? -1 : 1));
  await pool.query({
    name: 'keep_turns',
    text: `insert into send_turns (turn_key, turn_at)
           select turn_key, clock_timestamp() + make_interval(secs => wait_ms / 1000)
           from unnest($1::text[], $2::float8[]) as later(turn_key, wait_ms)
           on conflict (turn_key) do update set turn_at = excluded.turn_at`,
    values: [byKey.map(([turnKey]) => turnKey), byKey.map(([, waitMs]) => waitMs)],
  });
}

/**
 * How far ahead of now rates are: those that are taken ($1, by $2 seconds) after it, the others ($3) where they have a row. The latter
 * are looked up one by one, whatever the planner believes.
 */
const RESERVE = `
with taken as (
  insert into send_rates as rate (rate_key, next_at)
  select key, statement_timestamp() + make_interval(secs => seconds) from unnest($1::text[], $2::float8[]) as asked(key, seconds)
  on conflict (rate_key) do update
    set next_at = greatest(rate.next_at, statement_timestamp()) + (excluded.next_at - statement_timestamp())
  returning rate_key, next_at
)
select rate_key, (extract(epoch from next_at - statement_timestamp()) * 1000)::float8 as ahead_ms
from (
  select rate_key, next_at from taken
  union all
  select other.key, rate.next_at from unnest($3::text[]) as other(key)
  cross join lateral (select next_at from send_rates where rate_key = other.key limit 1) rate
  where rate.next_at > statement_timestamp()
) rates`;

function sharesOf({
  phoneNumberId,
  recipient,
  limits,
}: Pick<TurnRequest, 'phoneNumberId' | 'recipient' | 'limits'>): Record<ExceededRate, Share> {
  const messageMs = 1000 / limits.messagesPerSecond;
  const pairMs = limits.pairRefillSeconds * 1000;
  const phoneBurst = Math.max(1, Math.floor(limits.messagesPerSecond * BURST_SECONDS));
  return {
    pair: {
      rateKey: `pair:${phoneNumberId}:${recipient}`,
      takesMs: pairMs,
      freeMs: limits.pairBurst * pairMs,
    },
    phone: { rateKey: `phone:${phoneNumberId}`, takesMs: messageMs, freeMs: phoneBurst * messageMs },
  };
}

/** @returns how long each one waits; of those with the same rate, the first asked is the first. */
async function reserve(pool: Pool, requests: readonly TurnRequest[]): Promise<Map<TurnRequest, number>> {
  if (requests.length === 0) return new Map();
  const shares = new Map(requests.map((request) => [request, sharesOf(request)]));
  const [pairs, numbers] = [new Map<string, Share>(), new Map<string, Share>()];
  for (const { pair, phone } of shares.values()) {
    add(pairs, pair);
    add(numbers, phone);
  }
  const counts = pairCounts(pool);
  const counted = [...pairs.values()].map((share) => counts.take(share));
  // In one order everywhere, so that statements cannot deadlock.
  const taken = [...numbers.values(), ...counted.filter(({ isStored }) => isStored)].sort((a, b) =>
    a.rateKey < b.rateKey ? -1 : 1,
  );
  const others = counted.filter(({ isStored }) => !isStored);
  const { rows } = await pool.query<{ rate_key: string; ahead_ms: number }>({
    name: 'take_turns',
    text: RESERVE,
    values: [
      taken.map(({ rateKey }) => rateKey),
      taken.map(({ takesMs }) => takesMs / 1000),
      others.map(({ rateKey }) => rateKey),
    ],
  });
  const aheadMs = new Map(others.map(({ rateKey, takesMs }) => [rateKey, takesMs]));
  for (const row of rows) {
    aheadMs.set(row.rate_key, (aheadMs.get(row.rate_key) ?? 0) + row.ahead_ms);
    if (pairs.has(row.rate_key)) counts.noteStored(row.rate_key, row.ahead_ms);
  }
  for (const { rateKey, takesMs } of [...pairs.values(), ...numbers.values()])
    aheadMs.set(rateKey, (aheadMs.get(rateKey) ?? 0) - takesMs);
  const waits = new Map<TurnRequest, number>();
  for (const [request, parts] of shares) {
    let waitMs = 0;
    for (const { rateKey, takesMs, freeMs } of [parts.pair, parts.phone]) {
      const ownMs = (aheadMs.get(rateKey) ?? 0) + takesMs;
      aheadMs.set(rateKey, ownMs);
      waitMs = Math.max(waitMs, ownMs - freeMs);
    }
    waits.set(request, waitMs);
  }
  return waits;
}

/** Several messages' part of one rate. */
function add(all: Map<string, Share>, share: Share): void {
  const takesMs = (all.get(share.rateKey)?.takesMs ?? 0) + share.takesMs;
  all.set(share.rateKey, { ...share, takesMs });
}

/** A message's part of a rate: how long it takes of it, and how far ahead it may be without a wait. */
interface Share {
  rateKey: string;
  takesMs: number;
  freeMs: number;
}

/**
 * The part of a pair's burst that a process counts alone, without a row: most customers get few messages, and each would get a
 * row for them (docs/decisions/sending.md). With several workers a customer may get that many more at once from each; the platform's refusal then slows the pair
 * down (`slowDown`), and all processes look for its row at each message.
 */
const UNSTORED_PART = 1 / 9;

/** What they get in half a minute at 1,000 a second is remembered. */
const MOST_PAIRS = 30_000;

/** The messages from numbers to customers that are not stored yet, in this process. */
class PairCounts {
  /** How far ahead a pair is by messages without a row, as a point in time. */
  readonly #unstoredUntil = new LRUCache<string, number>({ max: MOST_PAIRS });
  /** Until when a pair is ahead by its row. */
  readonly #storedUntil = new LRUCache<string, number>({ max: MOST_PAIRS });

  /**
   * Counts messages to a customer.
   * @returns the part of the rate that is to be taken in its row, with what was not stored before; or, where `isStored` is
   * false, what is counted here alone
   */
  take({ rateKey, takesMs, freeMs }: Share): Share & { isStored: boolean } {
    const now = performance.now();
    const unstoredMs = Math.max(0, (this.#unstoredUntil.get(rateKey) ?? 0) - now) + takesMs;
    const isStored = (this.#storedUntil.get(rateKey) ?? 0) > now || unstoredMs > freeMs * UNSTORED_PART;
    if (isStored) this.#unstoredUntil.delete(rateKey);
    else this.#unstoredUntil.set(rateKey, now + unstoredMs);
    return { rateKey, takesMs: unstoredMs, freeMs, isStored };
  }

  /** A pair has a row that is ahead: its next messages are stored, too. */
  noteStored(rateKey: string, aheadMs: number): void {
    this.#storedUntil.set(rateKey, performance.now() + aheadMs);
  }

  /** A pair's row was set to what the platform says: that includes all messages so far. */
  noteRefused(rateKey: string, aheadMs: number): void {
    this.#unstoredUntil.delete(rateKey);
    this.noteStored(rateKey, aheadMs);
  }
}

const pairCounts = perPool(() => new PairCounts());

// The throughput of a number, by the platform's level.

/** A raised level is used at most this long after the check that found it. */
const CACHE_MS = 60_000;

const FIND_HIGH = `
select phone ->> 'id' as id
from connection_facts f, json_array_elements(f.accounts) account, json_array_elements(account -> 'phones') phone
where f.connection_id = $1 and phone ->> 'throughput' = 'HIGH'`;

/**
 * The rate limits of a number: its throughput is by the level that the platform returned at the last check of the connection,
 * and by the setting where that is STANDARD or unknown.
 */
export async function limitsOf(
  pool: Pool,
  { connectionId, phoneNumberId }: { connectionId: string; phoneNumberId: string },
  limits: SendLimits,
): Promise<SendLimits> {
  const high = await highNumbers(pool).forceFetch(connectionId);
  return limitsAtLevel(limits, high.has(phoneNumberId) ? 'HIGH' : null);
}

/** Ids of the numbers whose level is HIGH, by connection. Facts may be large: they are read once a minute for each that sends. */
const highNumbers = perPool(
  (pool) =>
    new LRUCache<string, ReadonlySet<string>>({
      max: 2000,
      ttl: CACHE_MS,
      ignoreFetchAbort: true,
      fetchMethod: async (connectionId) => {
        const { rows } = await pool.query<{ id: string }>(FIND_HIGH, [connectionId]);
        return new Set(rows.map(({ id }) => id));
      },
    }),
);
