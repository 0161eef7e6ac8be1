import { and, eq, gt, sql } from 'drizzle-orm';
import { connectionLogins } from '#lib/db/schema/connections.ts';
import { AppError } from '#lib/errors.ts';
import { listReachableAccounts } from '#lib/platform/discovery.ts';
import { exchangeCode, IdentityError } from '#lib/platform/identity.ts';
import { toAppError } from '#lib/platform/to-app-error.ts';
import type { MessagingContext } from './context.ts';
import { loadConnectionRow } from './load-connection.ts';
import { type AuthorizedLogin, type LoginOrigin, openLogin, sealLogin } from './login-secrets.ts';
import { replaceTokens } from './replace-tokens.ts';
import { sha256 } from './sealing.ts';

export interface LoginAnswer {
  userId: string;
  state: string;
  code?: string | undefined;
  /** The identity login's own error, such as `access_denied`. */
  error?: string | undefined;
}

/** Next: choose the business account of a new connection; or done, as the connection was connected again. */
export type FinishedLogin =
  | { next: 'choose_account'; loginId: string }
  | { next: 'done'; connectionId: string; origin: LoginOrigin | undefined };

/**
 * Takes the answer of the identity login. `state` works once, and only for the user who started it.
 * @throws AppError `invalid_request`, `upstream_failed`, `conflict` when another account was logged in to
 */
export async function finishLogin(ctx: MessagingContext, answer: LoginAnswer): Promise<FinishedLogin> {
  const login = await useState(ctx, answer);
  if (answer.error !== undefined || answer.code === undefined) throw refusedLogin(answer.error);
  const secrets = openLogin(ctx, login.id, login.secretsEncrypted);
  if (secrets.step !== 'started') throw unknownLogin();
  const { origin } = secrets;
  const authorized = { ...(await authorize(ctx, answer.code, secrets.codeVerifier)), origin };
  if (login.connectionId !== null) {
    await reconnect(ctx, login.connectionId, authorized);
    await ctx.db.delete(connectionLogins).where(eq(connectionLogins.id, login.id));
    return { next: 'done', connectionId: login.connectionId, origin };
  }
  const secretsEncrypted = sealLogin(ctx, login.id, authorized);
  await ctx.db.update(connectionLogins).set({ secretsEncrypted }).where(eq(connectionLogins.id, login.id));
  return { next: 'choose_account', loginId: login.id };
}

async function useState(ctx: MessagingContext, { state, userId }: LoginAnswer) {
  const [login] = await ctx.db
    .update(connectionLogins)
    .set({ stateHash: null })
    .where(
      and(
        eq(connectionLogins.stateHash, sha256(state)),
        eq(connectionLogins.userId, userId),
        eq(connectionLogins.workspaceId, ctx.workspaceId),
        gt(connectionLogins.expiresAt, sql`now()`),
      ),
    )
    .returning();
  if (!login) throw unknownLogin();
  return login;
}

const unknownLogin = (): AppError =>
  new AppError(
    'invalid_request',
    'This login was not started here, was used already, or took too long: start it again from Connections.',
  );

function refusedLogin(error: string | undefined): AppError {
  if (error === 'access_denied')
    return new AppError('invalid_request', 'The login was cancelled: nothing was connected.');
  const said = error ? ` (${error.slice(0, 100)})` : '';
  return new AppError(
    'invalid_request',
    `The platform did not let the login through${said}: start it again.`,
  );
}

async function authorize(
  ctx: MessagingContext,
  code: string,
  codeVerifier: string,
): Promise<AuthorizedLogin> {
  try {
    const tokens = await exchangeCode(ctx.platform, { code, codeVerifier });
    const scopes = tokens.scopes ?? ctx.platform.scopes.split(/\s+/);
    return { ...tokens, step: 'authorized', receivedAt: Date.now(), scopes };
  } catch (error) {
    if (!(error instanceof IdentityError)) throw toAppError(error);
    throw new AppError('upstream_failed', `${error.message} Start the login again.`, { cause: error });
  }
}

/** The id stays, and so do the workflows that name it; the business account must be the same. */
async function reconnect(ctx: MessagingContext, connectionId: string, login: AuthorizedLogin): Promise<void> {
  const row = await loadConnectionRow(ctx, connectionId);
  if (row.businessAccountId !== null) {
    const accounts = await listReachableAccounts({
      settings: ctx.platform,
      accessToken: login.accessToken,
    }).catch((error: unknown) => {
      throw toAppError(error, 'Account discovery failure');
    });
    if (!accounts.some(({ id }) => id === row.businessAccountId)) {
      const message = `This login does not reach the business account of "${row.name}": log in as somebody with the Admin or Editor role on it.`;
      throw new AppError('conflict', message);
    }
  }
  await replaceTokens(ctx, row, login);
}
