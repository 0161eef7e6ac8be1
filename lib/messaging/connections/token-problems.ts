// Why a pasted token cannot be used, in words, at the field that is to be changed.
import { AppError } from '#lib/core/errors.ts';
import { explainToken } from '#lib/messaging/platform/error-table.ts';
import type { TokenFacts } from '#lib/messaging/platform/inspect-token.ts';
import { isLastingRefusal, PlatformError } from '#lib/messaging/platform/platform-error.ts';
import type { PlatformSettings } from '#lib/messaging/platform/settings.ts';
import { toAppError } from '#lib/messaging/platform/to-app-error.ts';

const problemAt = (path: string, message: string, advice: string, cause?: unknown): AppError =>
  new AppError('invalid_request', message, { cause, problems: [{ path, message: advice }] });

/** The platform speaks of the app that asks as the viewing one. */
const IS_OF_ANOTHER_APP = /\bapp_?id\b.*did not match/i;

/** What it means that the platform did not say whose token it is. */
export function explainRefusedToken(error: unknown, settings: PlatformSettings): unknown {
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

/** @param app undefined: the platform does not say which one. */
export function tokenOfAnotherApp(
  { clientId }: PlatformSettings,
  app?: TokenFacts['app'],
  cause?: unknown,
): AppError {
  const made = app ? `It was generated for the app ${app.name ? `${app.name} (${app.id})` : app.id}. ` : '';
  const advice = `${made}Generate one for the app ${clientId ?? ''}, which MESSAGING_CLIENT_ID names.`;
  return problemAt('access_token', 'This token belongs to another app.', advice, cause);
}

/** @param kind what it is the token of */
export const tokenOfNobody = (kind: string): AppError =>
  problemAt(
    'access_token',
    `This is the token of ${kind}, which cannot act for a business account.`,
    'Generate the token of a system user.',
  );

export const accountOutOfReach = (id: string): AppError =>
  problemAt(
    'business_account_id',
    `This token cannot access the business account ${id}.`,
    'Check the ID: it is neither that of the business nor of a phone number. If it is right, assign the account to the system user, then generate the token again.',
  );
