// The one rule for pasted tokens, from the form or the API: the platform's confirmations before one is stored.
import { AppError } from '#lib/core/errors.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { findAccount } from '#lib/messaging/platform/discovery.ts';
import { explainToken } from '#lib/messaging/platform/error-table.ts';
import type { GraphAccess } from '#lib/messaging/platform/graph.ts';
import { inspectToken, type TokenFacts } from '#lib/messaging/platform/inspect-token.ts';
import { isLastingRefusal, PlatformError, toAppError } from '#lib/messaging/platform/platform-error.ts';
import type { PlatformSettings } from '#lib/messaging/platform/settings.ts';

/**
 * The platform's data about a token, if it may act for business accounts and belongs to this app. @throws AppError
 * `invalid_request` with a message about an invalid token, or one of another app; `upstream_failed`
 */
export async function readTokenFacts(access: GraphAccess): Promise<TokenFacts> {
  const { settings } = access;
  const facts = await inspectToken(access).catch((error: unknown) => {
    throw explainRefusedToken(error, settings);
  });
  const { app, type } = facts;
  if (type === 'APP' || type === 'PAGE') throw tokenOfNobody(type === 'APP' ? 'the app itself' : 'a page');
  if (settings.clientId !== undefined && app.id !== '' && app.id !== settings.clientId)
    throw tokenOfAnotherApp(settings, app);
  return facts;
}

/** @throws AppError `invalid_request` where the token cannot access the account; `upstream_failed` */
export async function getAccountInReach(
  ctx: Pick<MessagingContext, 'platform'>,
  accessToken: string,
  businessAccountId: string,
): Promise<{ id: string; name: string | null }> {
  const account = await findForScreen(ctx, accessToken, businessAccountId);
  if (!account) throw accountOutOfReach(businessAccountId);
  return account;
}

// Why a pasted token cannot be used, as a problem of its field.

const problemAt = (path: string, message: string, advice: string, cause?: unknown): AppError =>
  new AppError('invalid_request', message, { cause, problems: [{ path, message: advice }] });

/** The platform calls the requesting app the viewing one. */
const IS_OF_ANOTHER_APP = /\bapp_?id\b.*did not match/i;

/** The consequence of a token without a known owner. */
function explainRefusedToken(error: unknown, settings: PlatformSettings): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { platformMessage = '', subcode } = error.facts;
  if (error.kind === 'token') {
    const reason = explainToken(subcode);
    const advice = 'Copy all of it again, or generate another one.';
    const message = 'Invalid or expired access token';
    return problemAt('access_token', message, reason ? `${reason} ${advice}` : advice, error);
  }
  if (IS_OF_ANOTHER_APP.test(platformMessage)) return tokenOfAnotherApp(settings, undefined, error);
  const isAsked = isLastingRefusal(error) && error.kind !== 'not_configured';
  if (isAsked && (settings.clientId === undefined || settings.appSecret === undefined)) {
    const message =
      'The platform tells only the app whose token it is: set MESSAGING_CLIENT_ID and MESSAGING_CLIENT_SECRET.';
    return new AppError('invalid_request', message, { cause: error });
  }
  return toAppError(error, 'The token could not be checked');
}

/** @param app undefined: unknown. */
function tokenOfAnotherApp(
  { clientId }: PlatformSettings,
  app?: TokenFacts['app'],
  cause?: unknown,
): AppError {
  const made = app ? `It was generated for the app ${app.name ? `${app.name} (${app.id})` : app.id}. ` : '';
  const advice = `${made}Generate one for the app ${clientId ?? ''}, which MESSAGING_CLIENT_ID names.`;
  return problemAt('access_token', 'This token belongs to another app.', advice, cause);
}

/** @param kind kind of the token's owner */
const tokenOfNobody = (kind: string): AppError =>
  problemAt(
    'access_token',
    `This is the token of ${kind}, which cannot act for a business account.`,
    'Generate the token of a system user.',
  );

const accountOutOfReach = (id: string): AppError =>
  problemAt(
    'business_account_id',
    `This token cannot access the business account ${id}.`,
    'Check the ID: it is neither that of the business nor of a phone number. If it is right, assign the account to the system user, then generate the token again.',
  );

/**
 * The business account to connect with a token, with its name from the platform; undefined: the token cannot access it.
 * @throws AppError when the platform is unreachable
 */
export async function findForScreen(
  ctx: Pick<MessagingContext, 'platform'>,
  accessToken: string,
  businessAccountId: string,
): Promise<{ id: string; name: string | null } | undefined> {
  try {
    const found = await findAccount({ settings: ctx.platform, accessToken }, businessAccountId);
    return found && { id: found.id, name: found.name === found.id ? null : found.name };
  } catch (error) {
    throw toAppError(error, 'Account discovery failure');
  }
}
