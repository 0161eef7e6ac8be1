import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import type { Tokens } from '#lib/messaging/platform/identity.ts';
import type { TokenFacts } from '#lib/messaging/platform/inspect-token.ts';
import { isLastingRefusal, PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { connections } from '#lib/messaging/schema/connections.ts';
import type { ConnectionRow } from './connection-rows.ts';
import type { MessagingActorContext } from './context.ts';
import type { Connection, NewConnection } from './schema.ts';
import { sealedFor } from './sealing.ts';
import { secondsUntil, tokenColumns } from './stored-tokens.ts';
import { toConnection } from './to-connection.ts';
import { getAccountInReach, readTokenFacts } from './tokens/check-token.ts';

/**
 * Creates a connection from existing tokens. Tokens that the platform refuses are refused; where it is unreachable, the
 * connection is created anyway.
 * @throws AppError `conflict`; `invalid_request` when the token is invalid and cannot be refreshed, or belongs to another app,
 * or when it cannot access the business account
 */
export async function createConnection(
  ctx: MessagingActorContext,
  input: NewConnection,
): Promise<Connection> {
  const accessToken = input.access_token.trim();
  const facts = await findFacts(ctx, accessToken, input.refresh_token !== undefined);
  const known = facts === 'ended' ? undefined : facts;
  const account = await findAccount(ctx, known && accessToken, input.business_account_id?.trim());
  const [platformSays, senderSays] = [secondsUntil(known?.expiresAt), input.expires_in ?? null];
  // Without a refresh token the connection expires with the token: the platform's expiry counts.
  const lifetime =
    input.refresh_token === undefined ? (platformSays ?? senderSays) : (senderSays ?? platformSays);
  const fields = {
    name: input.name.trim(),
    tokens: {
      accessToken,
      refreshToken: input.refresh_token?.trim() ?? null,
      expiresInSeconds: facts === 'ended' ? 1 : lifetime,
      refreshExpiresInSeconds: null,
    },
    scopes: known?.scopes ?? ctx.platform.scopes,
    businessAccount: account,
  };
  return toConnection(ctx, await ctx.db.transaction((tx) => insertConnection(ctx, tx, fields)));
}

/** Undefined: the platform is unreachable. */
async function findFacts(
  { platform: settings }: MessagingActorContext,
  accessToken: string,
  canBeRefreshed: boolean,
): Promise<TokenFacts | 'ended' | undefined> {
  try {
    return await readTokenFacts({ settings, accessToken });
  } catch (error) {
    if (canBeRefreshed && platformErrorOf(error)?.kind === 'token') return 'ended';
    if (isSilence(error)) return undefined;
    throw error;
  }
}

/** @param accessToken undefined: there is no usable one for querying the account */
async function findAccount(
  ctx: MessagingActorContext,
  accessToken: string | undefined,
  id: string | undefined,
): Promise<{ id: string; name: string | null } | null> {
  if (id === undefined) return null;
  try {
    return accessToken === undefined ? { id, name: null } : await getAccountInReach(ctx, accessToken, id);
  } catch (error) {
    if (isSilence(error)) return { id, name: null };
    throw error;
  }
}

const platformErrorOf = (error: unknown): PlatformError | undefined => {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof PlatformError ? cause : undefined;
};

/** Whether the platform gave no answer: it is unreachable, busy, or not configured. */
function isSilence(error: unknown): boolean {
  const answer = platformErrorOf(error);
  if (!answer || answer.kind === 'token') return false;
  return answer.kind === 'not_configured' || !isLastingRefusal(answer);
}

export interface ConnectionFields {
  name: string;
  tokens: Omit<Tokens, 'scopes'>;
  scopes: string[];
  businessAccount: { id: string; name: string | null } | null;
}

/** Creates and records a connection. @throws AppError `conflict` when the business account has a connection already */
export async function insertConnection(
  ctx: ActorContext,
  tx: Transaction,
  { name, tokens, scopes, businessAccount }: ConnectionFields,
): Promise<ConnectionRow> {
  const id = newId();
  const { workspaceId } = ctx;
  const receiverToken = newToken();
  const [row] = await tx
    .insert(connections)
    .values({
      id,
      workspaceId,
      name,
      scopes,
      businessAccountId: businessAccount?.id ?? null,
      businessAccountName: businessAccount?.name ?? null,
      ...tokenColumns(ctx, id, tokens, new Date()),
      receiverTokenHash: hashToken(receiverToken),
      receiverTokenEncrypted: ctx.secrets.seal(receiverToken, sealedFor(workspaceId, 'receiver_token', id)),
      createdBy: ctx.actor,
    })
    // Its one unique key besides the random ones: one connection for each business account.
    .onConflictDoNothing()
    .returning();
  if (!row) {
    throw new AppError(
      'conflict',
      'This business account is already connected in this workspace. Reconnect that connection.',
      {
        problems: [{ path: 'business_account_id', message: 'Select another business account.' }],
      },
    );
  }
  await recordAudit(ctx, tx, 'connection.created', { id, name });
  return row;
}
