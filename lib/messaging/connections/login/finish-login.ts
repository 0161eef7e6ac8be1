import { and, eq, gt, sql } from 'drizzle-orm';
import { hashToken } from '#lib/core/crypto/token.ts';
import { type ConnectionRow, loadConnectionRow } from '#lib/messaging/connections/connection-rows.ts';
import type { MessagingActorContext, MessagingContext } from '#lib/messaging/connections/context.ts';
import { findTokenFacts, replaceTokens, secondsUntil } from '#lib/messaging/connections/stored-tokens.ts';
import { findForScreen } from '#lib/messaging/connections/tokens/check-token.ts';
import { exchangeCode, IdentityError, type Tokens } from '#lib/messaging/platform/identity.ts';
import { toAppError } from '#lib/messaging/platform/platform-error.ts';
import type { PlatformSettings } from '#lib/messaging/platform/settings.ts';
import { connectionLogins } from '#lib/messaging/schema/connections.ts';
import { type AuthorizedLogin, LoginError, type LoginOrigin, openLogin, sealLogin } from './login.ts';

export interface LoginAnswer {
  userId: string;
  state: string;
  code?: string | undefined;
  /** The identity login's own error, such as `access_denied`. */
  error?: string | undefined;
  /** `iss`: the issuer of the response. */
  issuer?: string | undefined;
}

/** Next: select the business account of a new connection; or done, because a connection was reconnected. */
export type FinishedLogin =
  | { next: 'choose_account'; loginId: string }
  | { next: 'done'; connectionId: string; origin: LoginOrigin | undefined };

/**
 * Processes the response of the identity login. `state` works once, and only for the user who started it.
 * @throws LoginError; AppError when the platform is unreachable
 */
export async function finishLogin(ctx: MessagingActorContext, answer: LoginAnswer): Promise<FinishedLogin> {
  const login = await consumeState(ctx, answer);
  assertIssuer(ctx.platform, answer.issuer);
  if (answer.error === 'access_denied') throw new LoginError('cancelled');
  if (answer.error !== undefined || answer.code === undefined)
    throw new LoginError('refused', new Error(`The identity provider answered ${answer.error ?? 'no code'}`));
  const secrets = openLogin(ctx, login.id, login.secretsEncrypted);
  if (secrets.step !== 'started') throw new LoginError('unknown');
  const { origin } = secrets;
  const authorized = { ...(await authorize(ctx, answer.code, secrets.codeVerifier)), origin };
  if (login.connectionId !== null) {
    const row = await loadConnectionRow(ctx, login.connectionId);
    await assertSameAccount(ctx, row, authorized);
    await ctx.db.transaction(async (tx) => {
      await replaceTokens(ctx, tx, row, authorized);
      await tx.delete(connectionLogins).where(eq(connectionLogins.id, login.id));
    });
    return { next: 'done', connectionId: login.connectionId, origin };
  }
  const secretsEncrypted = sealLogin(ctx, login.id, authorized);
  await ctx.db.update(connectionLogins).set({ secretsEncrypted }).where(eq(connectionLogins.id, login.id));
  return { next: 'choose_account', loginId: login.id };
}

async function consumeState(ctx: MessagingContext, { state, userId }: LoginAnswer) {
  const [login] = await ctx.db
    .update(connectionLogins)
    .set({ stateHash: null })
    .where(
      and(
        eq(connectionLogins.stateHash, hashToken(state)),
        eq(connectionLogins.userId, userId),
        eq(connectionLogins.workspaceId, ctx.workspaceId),
        gt(connectionLogins.expiresAt, sql`now()`),
      ),
    )
    .returning();
  if (!login) throw new LoginError('unknown');
  return login;
}

/**
 * RFC 9207: the response must come from the identity login that was called, or a code could be sent to the wrong one. Where the
 * settings have no issuer, an existing `iss` must match the URL that the browser was sent to.
 */
function assertIssuer({ issuer, authorizeUrl }: PlatformSettings, given: string | undefined): void {
  if (issuer !== undefined ? given === issuer : given === undefined || isSamePlace(given, authorizeUrl))
    return;
  throw new LoginError('wrong_issuer', new Error(`iss is ${given ?? 'missing'}`));
}

const isSamePlace = (one: string, other: string | undefined): boolean =>
  other !== undefined && URL.canParse(one) && new URL(one).origin === new URL(other).origin;

async function authorize(
  ctx: MessagingContext,
  code: string,
  codeVerifier: string,
): Promise<AuthorizedLogin> {
  try {
    const tokens = await exchangeCode(ctx.platform, { code, codeVerifier });
    return await complete(ctx, tokens);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw toAppError(error);
    throw new LoginError('no_tokens', error);
  }
}

/**
 * Adds the platform's data about the token where the response lacks it: granted scopes, and the expiry of a token without a
 * refresh token.
 */
async function complete(ctx: MessagingContext, tokens: Tokens): Promise<AuthorizedLogin> {
  const mayEnd = tokens.refreshToken === null && tokens.expiresInSeconds === null;
  const facts = tokens.scopes === null || mayEnd ? await findTokenFacts(ctx, tokens.accessToken) : undefined;
  return {
    ...tokens,
    step: 'authorized',
    receivedAt: Date.now(),
    expiresInSeconds: mayEnd ? secondsUntil(facts?.expiresAt) : tokens.expiresInSeconds,
    scopes: tokens.scopes ?? (facts?.scopes.length ? facts.scopes : ctx.platform.scopes),
  };
}

/** A reconnected connection keeps its id, and workflows refer to it: its business account must stay the same. */
async function assertSameAccount(
  ctx: MessagingContext,
  { businessAccountId }: ConnectionRow,
  { accessToken }: AuthorizedLogin,
): Promise<void> {
  if (businessAccountId === null) return;
  if (!(await findForScreen(ctx, accessToken, businessAccountId))) throw new LoginError('wrong_account');
}
