import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { hashToken, isSameSecret } from '#lib/core/crypto/token.ts';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { memberships } from '#lib/identity/schema/accounts.ts';
import { apiKeys, workspaces } from '#lib/identity/schema/workspaces.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { highestScopeOf, type KeyScope, lowerScope } from './scopes.ts';

/** Resolution of a key's last use: a write per request would cost too much. */
const LAST_USED_STEP_MS = 60_000;

export interface AuthenticatedKey {
  workspaceId: string;
  /** `environment` for `PATCHBAY_API_KEY`. */
  keyId: string;
  /** The scope it was created with. */
  grantedScope: KeyScope;
  /** Its current scope: never more than that of the member who created it. */
  scope: KeyScope;
  expiresAt: Date | null;
  /** The member who created it; null: none. */
  createdBy: string | null;
  /** SHA-256 of the `PATCHBAY_API_KEY` that it depends on; null: none. */
  madeWithHash: Buffer | null;
  /** Whether the workspace masks customers' numbers for viewers. */
  masksNumbers: boolean;
}

/**
 * Authenticates an API key. Keys are looked up by their hash, so that the response time reveals nothing about them.
 * @param environmentKey `PATCHBAY_API_KEY`: a key of the first workspace (docs/api.md)
 * @throws AppError `unauthorized` for an unknown, revoked or expired key, and one whose creator is gone
 */
export async function authenticateApiKey(
  db: Database,
  bearer: string,
  environmentKey: string | undefined,
): Promise<AuthenticatedKey> {
  const keyHash = hashToken(bearer);
  const environmentHash = environmentKey === undefined ? null : hashToken(environmentKey);
  if (environmentHash && isSameSecret(keyHash, environmentHash)) return ofEnvironment(db, environmentHash);
  const key = await findKey(db, keyHash);
  if (!key || (key.madeWithHash && !(environmentHash && key.madeWithHash.equals(environmentHash))))
    throw refuse('This API key is invalid or was revoked.');
  if (key.expiresAt && key.hasExpired)
    throw refuse(`This API key expired on ${key.expiresAt.toISOString().slice(0, 10)}.`);
  if (key.createdBy !== null && key.makerRole === null)
    throw refuse('The member who created this API key has left the workspace.');
  await markUsed(db, key.keyId, key.lastUsedAt);
  const { workspaceId, keyId, grantedScope, expiresAt, createdBy, madeWithHash, masksNumbers } = key;
  const scope =
    key.makerRole === null ? grantedScope : lowerScope(grantedScope, highestScopeOf(key.makerRole));
  return { workspaceId, keyId, grantedScope, scope, expiresAt, createdBy, madeWithHash, masksNumbers };
}

const refuse = (why: string): AppError =>
  new AppError('unauthorized', `${why} An owner creates keys in Settings → API keys.`);

async function ofEnvironment(db: Database, madeWithHash: Buffer): Promise<AuthenticatedKey> {
  const workspaceId = await findFirstWorkspace(db);
  if (workspaceId === null) throw refuse('There is no workspace yet.');
  const scope = 'admin';
  const whose = { workspaceId, keyId: 'environment', createdBy: null, madeWithHash };
  return { ...whose, grantedScope: scope, scope, expiresAt: null, masksNumbers: true };
}

async function findKey(db: Database, keyHash: Buffer) {
  const [key] = await db
    .select({
      keyId: apiKeys.id,
      workspaceId: apiKeys.workspaceId,
      grantedScope: apiKeys.scope,
      expiresAt: apiKeys.expiresAt,
      hasExpired: sql<boolean>`${apiKeys.expiresAt} <= now()`,
      createdBy: apiKeys.createdBy,
      makerRole: memberships.role,
      madeWithHash: apiKeys.madeWithHash,
      lastUsedAt: apiKeys.lastUsedAt,
      masksNumbers: workspaces.masksNumbers,
    })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .leftJoin(
      memberships,
      and(eq(memberships.workspaceId, apiKeys.workspaceId), eq(memberships.userId, apiKeys.createdBy)),
    )
    .where(and(eq(apiKeys.keyHash, keyHash), isNull(apiKeys.revokedAt)));
  return key;
}

async function markUsed(db: Database, id: string, lastUsedAt: Date | null): Promise<void> {
  const staleBefore = new Date(Date.now() - LAST_USED_STEP_MS);
  if (lastUsedAt !== null && lastUsedAt >= staleBefore) return;
  await db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, staleBefore))));
}
