import { LRUCache } from 'lru-cache';
import type { Pool } from '#lib/core/db/client.ts';
import type { SendLimits } from '#lib/messaging/platform/settings.ts';

/** Messages a second of a number whose throughput level is HIGH. */
const HIGH_PER_SECOND = 1000;
/** A raised level is used at most this long after the check that found it. */
const CACHE_MS = 60_000;

interface Known {
  staleAt: number;
  /** Ids of the numbers whose level is HIGH. */
  high: Promise<ReadonlySet<string>>;
}

const known = new WeakMap<Pool, LRUCache<string, Known>>();

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
  const high = await readHigh(pool, connectionId);
  if (!high.has(phoneNumberId)) return limits;
  return { ...limits, messagesPerSecond: Math.max(limits.messagesPerSecond, HIGH_PER_SECOND) };
}

/** Facts may be large: they are read once a minute for each connection that sends. */
function readHigh(pool: Pool, connectionId: string): Promise<ReadonlySet<string>> {
  const cache = known.get(pool) ?? new LRUCache<string, Known>({ max: 2000 });
  known.set(pool, cache);
  const before = cache.get(connectionId);
  if (before && before.staleAt > Date.now()) return before.high;
  const high = findHigh(pool, connectionId);
  const entry = { staleAt: Date.now() + CACHE_MS, high };
  cache.set(connectionId, entry);
  high.catch(() => {
    if (cache.get(connectionId) === entry) cache.delete(connectionId);
  });
  return high;
}

async function findHigh(pool: Pool, connectionId: string): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>(FIND_HIGH, [connectionId]);
  return new Set(rows.map(({ id }) => id));
}
