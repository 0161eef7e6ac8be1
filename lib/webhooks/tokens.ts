// Tokens of webhook URLs: 192 random bits, looked up by their SHA-256 (docs/webhooks.md).
import { LRUCache } from 'lru-cache';
import { hashToken } from '#lib/core/crypto/token.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { GroupCommit } from '#lib/core/db/group-commit.ts';

const TOKEN = /^[A-Za-z0-9_-]{32}$/;
const MAX_CACHED = 20_000;
const CACHE_MS = 30_000;

/** Whether a text could be a token; others are not looked up. */
export const isToken = (text: string): boolean => TOKEN.test(text);

export interface KnownToken {
  hash: Buffer;
  workspaceId: string;
  workflowId: string;
  /**
   * At the time of the look-up; null when the workflow was not published. The intake statement detects when it is outdated.
   */
  publishedVersion: number | null;
  /** Requests a second of the whole workspace; null: the server's default. */
  ratePerSecond: number | null;
  /** The workspace's time zone; left out: UTC. */
  zone?: string | undefined;
}

export interface Tokens {
  find(token: string): Promise<KnownToken | undefined>;
  /** Makes the next `find` query the token again. */
  forget(token: string): void;
}

interface CachedToken extends KnownToken {
  staleAt: number;
}

const LOOKUP = `
select k.token_hash, w.workspace_id, w.id as workflow_id, w.published_version, s.webhook_rate_per_second, t.zone
from unnest($1::bytea[]) as asked(token_hash)
join webhook_tokens k using (token_hash)
join workflows w on w.id = k.workflow_id and w.deleted_at is null
join workspaces s on s.id = w.workspace_id
left join workspace_times t on t.workspace_id = w.workspace_id
where k.expires_at is null or k.expires_at > now()`;

interface LookupRow {
  token_hash: Buffer;
  workspace_id: string;
  workflow_id: string;
  published_version: number | null;
  webhook_rate_per_second: number | null;
  zone: string | null;
}

/**
 * Finds tokens. A known one is cached for half a minute: the intake statement checks it again, so that a token that has ended
 * is refused on the next request. An unknown one is never cached.
 */
export function createTokens(pool: Pool): Tokens {
  const cache = new LRUCache<string, CachedToken>({ max: MAX_CACHED });
  const lookups = new GroupCommit<Buffer, KnownToken | undefined>((hashes) => lookUp(pool, hashes), {
    maxBatch: 200,
    maxWeight: Infinity,
    weigh: () => 1,
    lanes: 2,
  });
  return {
    async find(token) {
      if (!isToken(token)) return undefined;
      const cached = cache.get(token);
      if (cached && cached.staleAt > Date.now()) return cached;
      const known = await lookups.add(hashToken(token));
      if (!known) {
        cache.delete(token);
        return undefined;
      }
      // Returns the cached object itself: callers use it as a key of their caches.
      const kept = { ...known, staleAt: Date.now() + CACHE_MS };
      cache.set(token, kept);
      return kept;
    },
    forget: (token) => void cache.delete(token),
  };
}

async function lookUp(pool: Pool, hashes: Buffer[]): Promise<(KnownToken | undefined)[]> {
  const { rows } = await pool.query<LookupRow>({ name: 'find_tokens', text: LOOKUP, values: [hashes] });
  const found = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]));
  return hashes.map((hash) => {
    const row = found.get(hash.toString('hex'));
    return row && toKnownToken(row);
  });
}

const toKnownToken = (row: LookupRow): KnownToken => ({
  hash: row.token_hash,
  workspaceId: row.workspace_id,
  workflowId: row.workflow_id,
  publishedVersion: row.published_version,
  ratePerSecond: row.webhook_rate_per_second,
  zone: row.zone ?? undefined,
});
