import { randomBytes } from 'node:crypto';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { hashToken } from '#lib/core/crypto/token.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId, newId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { newestOf, type Page, type PageInput, readCursor, toPage } from '#lib/core/db/paging.ts';
import type { Role } from '#lib/identity/roles/roles.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import type { AuthenticatedKey } from './authenticate-api-key.ts';
import { type ApiKey, type ApiKeyInput, apiKeyInputSchema, type NewApiKey } from './schema.ts';
import { hasScope, highestScopeOf, type KeyScope, lowerScope } from './scopes.ts';

/** Creator of a key, which the key ends with: a member, or another key. */
export type KeyMaker = { userId: string } | { key: AuthenticatedKey };

/**
 * Creates a key of the workspace. The key itself is only returned here: its hash is stored.
 * @param maker limits the key whenever it is used; left out: no limit
 * @throws AppError `invalid_request` when it would exceed the scope or the expiry of the key that creates it; `conflict` when
 * that one was revoked concurrently
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

/** The workspace's keys that are not revoked, newest first, including expired ones. */
export async function listApiKeys(ctx: Context, { limit, cursor }: PageInput): Promise<Page<ApiKey>> {
  const { where, order } = newestOf({
    key: [[apiKeys.workspaceId, ctx.workspaceId]],
    id: apiKeys.id,
    below: readCursor(cursor),
  });
  const rows = await ctx.db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      prefix: apiKeys.prefix,
      scope: apiKeys.scope,
      createdAt: apiKeys.createdAt,
      createdBy: apiKeys.createdBy,
      makerEmail: users.email,
      makerRole: memberships.role,
      expiresAt: apiKeys.expiresAt,
      hasExpired: sql<boolean | null>`${apiKeys.expiresAt} <= now()`,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.createdBy))
    .leftJoin(
      memberships,
      and(eq(memberships.workspaceId, apiKeys.workspaceId), eq(memberships.userId, apiKeys.createdBy)),
    )
    .where(and(where, isNull(apiKeys.revokedAt)))
    .orderBy(order)
    .limit(limit + 1);
  return toPage(rows, limit, toApiKey);
}

interface Revoked {
  id: string;
  name: string;
}

/**
 * Revokes a key at once, and all keys that were created with it: a leaked key may have created them.
 * @throws AppError `not_found`, also for one that was revoked before
 */
export async function revokeApiKey(ctx: ActorContext, { id }: { id: string }): Promise<Revoked> {
  return ctx.db.transaction(async (tx) => {
    const [revoked] = isId(id) ? await revoke(ctx, tx, eq(apiKeys.id, id)) : [];
    if (!revoked) throw new AppError('not_found', 'This API key does not exist.');
    // One statement per generation: each waits for keys that its generation is just creating (createApiKey), and the next one
    // sees them.
    let parents = [revoked];
    while (parents.length > 0) {
      const ids = parents.map((parent) => parent.id);
      parents = await revoke(ctx, tx, inArray(apiKeys.madeWithKeyId, ids));
    }
    return revoked;
  });
}

async function revoke(ctx: ActorContext, tx: Transaction, which: ReturnType<typeof eq>): Promise<Revoked[]> {
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(which, eq(apiKeys.workspaceId, ctx.workspaceId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id, name: apiKeys.name });
  for (const key of revoked) await recordAudit(ctx, tx, 'api_key.revoked', key);
  return revoked;
}

export interface ApiKeyRow {
  id: string;
  name: string;
  prefix: string;
  scope: KeyScope;
  createdAt: Date;
  createdBy: string | null;
  makerEmail: string | null;
  /** Null: the creator is no longer a member, or there is none. */
  makerRole: Role | null;
  expiresAt: Date | null;
  hasExpired: boolean | null;
  lastUsedAt: Date | null;
}

/** A key as lists show it. */
const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scope: row.scope,
  effective_scope: effectiveScope(row),
  created_at: row.createdAt.toISOString(),
  created_by: row.makerEmail,
  expires_at: row.expiresAt?.toISOString() ?? null,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
});

function effectiveScope({ scope, createdBy, makerRole, hasExpired }: ApiKeyRow): KeyScope | null {
  if (hasExpired) return null;
  if (createdBy === null) return scope;
  return makerRole && lowerScope(scope, highestScopeOf(makerRole));
}

const KEY_PREFIX = 'pb_';
const SHOWN_CHARACTERS = 7;

/** A new API key: 256 random bits, recognisable by its first characters. */
export const newApiKey = (): string => KEY_PREFIX + randomBytes(32).toString('base64url');

/** The first characters, which identify a key in lists. */
const prefixOf = (key: string): string => key.slice(0, SHOWN_CHARACTERS);
