// A pasted token, such as that of a system user: first its owner is shown, then it is stored for an account that it can access.
import * as z from 'zod';
import { text } from '#lib/messaging/platform-fields.ts';
import { listReachableAccounts } from '#lib/messaging/platform/discovery.ts';
import { callGraph, type GraphAccess } from '#lib/messaging/platform/graph.ts';
import type { TokenFacts } from '#lib/messaging/platform/inspect-token.ts';
import { isLastingRefusal, PlatformError, toAppError } from '#lib/messaging/platform/platform-error.ts';
import { getAccountInReach, readTokenFacts } from './tokens/check-token.ts';
import type { MessagingActorContext, MessagingContext } from './context.ts';
import { insertConnection } from './create-connection.ts';
import { loadConnectionRow } from './connection-rows.ts';
import { replaceTokens, secondsUntil } from './stored-tokens.ts';
import type { Connection, TokenView } from './schema.ts';
import { toConnection } from './to-connection.ts';
import { toAccountView } from './list-accounts.ts';

interface PastedToken {
  accessToken: string;
}

/**
 * The platform's data about a token; nothing is stored. @throws AppError `invalid_request` with a message about an invalid
 * token, or one of another app; `upstream_failed`
 */
export async function describeToken(
  { platform }: MessagingContext,
  { accessToken }: PastedToken,
): Promise<TokenView> {
  const access = { settings: platform, accessToken };
  const { app, type, scopes, expiresAt } = await readTokenFacts(access);
  const [name, accounts] = await Promise.all([findHolderName(access), listAccounts(access)]);
  return {
    app: app.id === '' ? null : app.name ? `${app.name} (${app.id})` : app.id,
    holder: { kind: type === 'SYSTEM_USER' ? 'system_user' : 'person', name },
    scopes,
    endsAt: expiresAt?.toISOString() ?? null,
    accounts: accounts.map(toAccountView),
  };
}

/**
 * Creates a connection from a pasted token for an account that it can access. @throws AppError as `describeToken`;
 * `invalid_request` for an inaccessible account, `conflict` where it has a connection
 */
export async function connectToken(
  ctx: MessagingActorContext,
  { accessToken, name, businessAccountId }: PastedToken & { name: string; businessAccountId: string },
): Promise<Connection> {
  const facts = await readTokenFacts({ settings: ctx.platform, accessToken });
  const account = await getAccountInReach(ctx, accessToken, businessAccountId);
  const tokens = tokensOf(accessToken, facts);
  const fields = { name, tokens, scopes: facts.scopes, businessAccount: account };
  return toConnection(ctx, await ctx.db.transaction((tx) => insertConnection(ctx, tx, fields)), true);
}

/**
 * Reconnects a connection with a pasted token, which must reach the same account.
 * @throws AppError as `connectToken`; `not_found`
 */
export async function reconnectToken(
  ctx: MessagingActorContext,
  { id, accessToken }: PastedToken & { id: string },
): Promise<void> {
  const row = await loadConnectionRow(ctx, id);
  const facts = await readTokenFacts({ settings: ctx.platform, accessToken });
  const { businessAccountId } = row;
  if (businessAccountId !== null) await getAccountInReach(ctx, accessToken, businessAccountId);
  const login = { ...tokensOf(accessToken, facts), receivedAt: Date.now(), scopes: facts.scopes };
  await ctx.db.transaction((tx) => replaceTokens(ctx, tx, row, login));
}

const tokensOf = (accessToken: string, { expiresAt }: TokenFacts) => ({
  accessToken,
  refreshToken: null,
  expiresInSeconds: secondsUntil(expiresAt),
  refreshExpiresInSeconds: null,
});

const meSchema = z.object({ name: text });

/** Null where the platform does not return it. */
async function findHolderName(access: GraphAccess): Promise<string | null> {
  try {
    const me = await callGraph(access, { method: 'GET', path: ['me'], query: { fields: 'id,name' } });
    return meSchema.parse(me).name || null;
  } catch (error) {
    if (error instanceof PlatformError) return null;
    throw error;
  }
}

/** Empty where listing is not allowed: the account's ID is entered manually then. */
async function listAccounts(access: GraphAccess) {
  try {
    return await listReachableAccounts(access);
  } catch (error) {
    if (isLastingRefusal(error)) return [];
    throw toAppError(error, 'Account discovery failure');
  }
}
