import { and, eq, isNull } from 'drizzle-orm';
import { hashToken } from '#lib/core/crypto/token.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId, newId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import type { AuthenticatedKey } from './authenticate-api-key.ts';
import { newApiKey, prefixOf } from './key-hash.ts';
import { type ApiKeyInput, apiKeyInputSchema, type NewApiKey } from './schema.ts';
import { hasScope, type KeyScope } from './scopes.ts';
import { toApiKey } from './to-api-key.ts';

/** Creator of a key, which the key ends with: a member, or another key. */
export type KeyMaker = { userId: string } | { key: AuthenticatedKey };

/**
 * Creates a key of the workspace. The key itself is only returned here: its hash is stored.
 * @param maker limits the key whenever it is used; left out: no limit
 * @throws AppError `invalid_request` when it would exceed the scope or the expiry of the key that creates it; `conflict` when
 *   that one was revoked meanwhile
 */
export async function createApiKey(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  input: ApiKeyInput,
  maker?: KeyMaker,
): Promise<NewApiKey> {
  const { name, scope, expires_at } = apiKeyInputSchema.parse(input);
  const by = maker && 'key' in maker ? maker.key : undefined;
  const expiresAt = readExpiry(expires_at, by);
  if (by) assertNoMoreThan(by, scope, expiresAt);
  const createdBy = maker && 'userId' in maker ? maker.userId : (by?.createdBy ?? null);
  const key = newApiKey();
  const row = {
    id: newId(),
    name,
    prefix: prefixOf(key),
    scope,
    expiresAt,
    createdBy,
    createdAt: new Date(),
    lastUsedAt: null,
  };
  return ctx.db.transaction(async (tx) => {
    const madeWithKeyId = by && isId(by.keyId) ? by.keyId : null;
    if (madeWithKeyId !== null) await assertNotRevoked(tx, madeWithKeyId);
    await tx.insert(apiKeys).values({
      ...row,
      workspaceId: ctx.workspaceId,
      keyHash: hashToken(key),
      madeWithHash: by?.madeWithHash ?? null,
      madeWithKeyId,
    });
    await recordAudit(ctx, tx, 'api_key.created', { id: row.id, name });
    const makerEmail = await findEmail(tx, createdBy);
    return {
      ...toApiKey({ ...row, makerEmail, makerRole: null, hasExpired: false }),
      effective_scope: scope,
      key,
    };
  });
}

function readExpiry(text: string | null | undefined, by: AuthenticatedKey | undefined): Date | null {
  if (text === undefined) return by?.expiresAt ?? null;
  if (text === null) return null;
  const expiresAt = new Date(text);
  if (expiresAt.getTime() > Date.now()) return expiresAt;
  throw invalid('expires_at', 'Select a date in the future.');
}

function assertNoMoreThan(by: AuthenticatedKey, scope: KeyScope, expiresAt: Date | null): void {
  if (!hasScope(by.scope, scope))
    throw invalid('scope', `A key with the scope "${by.scope}" cannot create one with "${scope}".`);
  if (by.expiresAt && (expiresAt === null || expiresAt > by.expiresAt))
    throw invalid(
      'expires_at',
      `The key that creates it expires on ${by.expiresAt.toISOString()}: the new one cannot live longer.`,
    );
}

const invalid = (path: string, message: string): AppError =>
  new AppError('invalid_request', message, { problems: [{ path, message }] });

/** Waits for a concurrent revocation of the key, which also revokes all keys that it created. */
async function assertNotRevoked(tx: Transaction, id: string): Promise<void> {
  const [by] = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .for('share');
  if (!by) throw new AppError('conflict', 'The API key was revoked.');
}

async function findEmail(tx: Transaction, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return user?.email ?? null;
}
