import { and, eq, gt, sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { MessagingActorContext, MessagingContext } from '#lib/messaging/connections/context.ts';
import { insertConnection } from '#lib/messaging/connections/create-connection.ts';
import { toAccountView } from '#lib/messaging/connections/list-accounts.ts';
import type { BusinessAccountView, Connection } from '#lib/messaging/connections/schema.ts';
import { toConnection } from '#lib/messaging/connections/to-connection.ts';
import { findForScreen } from '#lib/messaging/connections/tokens/check-token.ts';
import { listReachableAccounts } from '#lib/messaging/platform/discovery.ts';
import { toAppError } from '#lib/messaging/platform/platform-error.ts';
import { connectionLogins } from '#lib/messaging/schema/connections.ts';
import { type AuthorizedLogin, type LoginOrigin, openLogin } from './login.ts';

interface LoginOfUser {
  loginId: string;
  userId: string;
}

/** The business accounts that a finished login may be saved for. @throws AppError `invalid_request`, `upstream_failed` */
export async function listLoginAccounts(
  ctx: MessagingContext,
  input: LoginOfUser,
): Promise<BusinessAccountView[]> {
  return (await discover(ctx, await loadLogin(ctx, input))).map(toAccountView);
}

/**
 * Saves a finished login as a connection for one business account (spec, Authentication 1).
 * @returns the connection, and the task where the login was started.
 * @throws AppError `invalid_request`, `upstream_failed`, `conflict` when the account has a connection already
 */
export async function saveLogin(
  ctx: MessagingActorContext,
  input: LoginOfUser & { name: string; businessAccountId: string },
): Promise<{ connection: Connection; origin: LoginOrigin | undefined }> {
  const login = await loadLogin(ctx, input);
  const account = await findForScreen(ctx, login.accessToken, input.businessAccountId);
  if (!account) {
    const message = 'Select one from the list, or check the ID and the role of whoever signed in.';
    throw new AppError('invalid_request', 'This sign-in cannot access that business account.', {
      problems: [{ path: 'business_account_id', message }],
    });
  }
  const secondsSince = (Date.now() - login.receivedAt) / 1000;
  const left = (seconds: number | null): number | null =>
    seconds === null ? null : Math.max(1, seconds - secondsSince);
  const tokens = {
    ...login,
    expiresInSeconds: left(login.expiresInSeconds),
    refreshExpiresInSeconds: left(login.refreshExpiresInSeconds),
  };
  const fields = { name: input.name, tokens, scopes: login.scopes, businessAccount: account };
  return ctx.db.transaction(async (tx) => {
    // A login is saved once, however often its form is sent.
    const used = await tx
      .delete(connectionLogins)
      .where(eq(connectionLogins.id, input.loginId))
      .returning({ id: connectionLogins.id });
    if (used.length === 0) throw loginExpired();
    const row = await insertConnection(ctx, tx, fields);
    return { connection: toConnection(ctx, row, true), origin: login.origin };
  });
}

async function loadLogin(ctx: MessagingContext, { loginId, userId }: LoginOfUser): Promise<AuthorizedLogin> {
  const [row] = isId(loginId)
    ? await ctx.db
        .select()
        .from(connectionLogins)
        .where(
          and(
            eq(connectionLogins.id, loginId),
            eq(connectionLogins.userId, userId),
            eq(connectionLogins.workspaceId, ctx.workspaceId),
            gt(connectionLogins.expiresAt, sql`now()`),
          ),
        )
    : [];
  const login = row && openLogin(ctx, row.id, row.secretsEncrypted);
  if (login?.step === 'authorized') return login;
  throw loginExpired();
}

const loginExpired = (): AppError =>
  new AppError('invalid_request', 'This sign-in has expired. Start again from Connections.');

async function discover(ctx: MessagingContext, login: AuthorizedLogin) {
  try {
    return await listReachableAccounts({ settings: ctx.platform, accessToken: login.accessToken });
  } catch (error) {
    throw toAppError(error, 'Account discovery failure');
  }
}
