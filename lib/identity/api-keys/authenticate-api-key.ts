import { timingSafeEqual } from 'node:crypto';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import type { Role } from '#lib/identity/members/roles.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/ensure-first-workspace.ts';
import { hashApiKey } from './key-hash.ts';

/** How exactly it is known when a key was last used: a write at every request would cost more than it tells. */
const LAST_USED_STEP_MS = 60_000;

export interface AuthenticatedKey {
  workspaceId: string;
  /** `environment` for `PATCHBAY_API_KEY`. */
  keyId: string;
  /** What it may do (docs/decisions/api-keys.md). */
  role: Extract<Role, 'owner' | 'editor'>;
  keyHash: Buffer;
}

/**
 * Whose key this is; undefined for an unknown or a revoked one, and for one whose maker is no key any more. Keys are looked up by their hash, so that the time it
 * takes tells nothing about them.
 * @param environmentKey `PATCHBAY_API_KEY`: a key of the first workspace (docs/api.md).
 */
export async function authenticateApiKey(
  db: Database,
  bearer: string,
  environmentKey: string | undefined,
): Promise<AuthenticatedKey | undefined> {
  const keyHash = hashApiKey(bearer);
  const environmentHash = environmentKey === undefined ? undefined : hashApiKey(environmentKey);
  if (environmentHash && timingSafeEqual(keyHash, environmentHash)) {
    const workspaceId = await findFirstWorkspace(db);
    return workspaceId === null ? undefined : { workspaceId, keyId: 'environment', role: 'owner', keyHash };
  }
  const [key] = await db
    .select({
      id: apiKeys.id,
      workspaceId: apiKeys.workspaceId,
      lastUsedAt: apiKeys.lastUsedAt,
      madeWithHash: apiKeys.madeWithHash,
    })
    .from(apiKeys)
    .where(and(eq(apiKeys.keyHash, keyHash), isNull(apiKeys.revokedAt)));
  if (!key) return undefined;
  if (key.madeWithHash && !(environmentHash && key.madeWithHash.equals(environmentHash))) return undefined;
  const staleBefore = new Date(Date.now() - LAST_USED_STEP_MS);
  if (key.lastUsedAt === null || key.lastUsedAt < staleBefore) {
    await db
      .update(apiKeys)
      .set({ lastUsedAt: sql`now()` })
      .where(
        and(eq(apiKeys.id, key.id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, staleBefore))),
      );
  }
  return { workspaceId: key.workspaceId, keyId: key.id, role: 'editor', keyHash };
}
