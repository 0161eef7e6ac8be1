// The health check: queries the platform for what a connection can do, and lists each problem with its fix.
import {
  isOutOfReach,
  listPhones,
  listReachableAccounts,
  type PhoneNumber,
} from '#lib/messaging/platform/discovery.ts';
import type { GraphAccess } from '#lib/messaging/platform/graph.ts';
import { findObstacles, type Obstacle } from '#lib/messaging/platform/health-status.ts';
import { canExchange } from '#lib/messaging/platform/identity.ts';
import { inspectToken, type TokenFacts } from '#lib/messaging/platform/inspect-token.ts';
import { isManagementLimit, PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { listCallbacks } from '#lib/messaging/platform/subscriptions.ts';
import { describeNumber, isRegistrable } from '#lib/messaging/schema/number-words.ts';
import { type ConnectionRow, loadConnectionRow } from './connection-rows.ts';
import type { MessagingContext } from './context.ts';
import { findMissingScopes, GRANT_EVERYTHING } from './missing-scopes.ts';
import { receiverOf } from './receivers.ts';
import type { Check } from './schema.ts';
import { toConnection } from './to-connection.ts';
import { ConnectionError, withAccessToken } from './tokens/access-token.ts';

/** Checks a connection, live. Data that the platform does not return is a warning, never an error. @throws AppError `not_found` */
export async function checkConnection(ctx: MessagingContext, { id }: { id: string }): Promise<Check[]> {
  await loadConnectionRow(ctx, id);
  const ask = <Result>(call: (access: GraphAccess) => Promise<Result>): Promise<Result | Error> =>
    withAccessToken(ctx, id, call).catch(expected);
  const facts = await ask(inspectToken);
  const row = await loadConnectionRow(ctx, id);
  const accountId = row.businessAccountId;
  const [accounts, phones, obstacles, callbacks] = await Promise.all([
    ask(listReachableAccounts),
    accountId === null ? undefined : ask((access) => listPhones(access, accountId)),
    accountId === null ? undefined : ask((access) => findObstacles(access, accountId)),
    accountId === null ? undefined : ask((access) => listCallbacks(access, accountId)),
  ]);
  const noAccount = new Error('no business account was chosen for this connection');
  return [
    checkToken(ctx, row, facts),
    checkScopes(ctx, row, facts, Array.isArray(phones) || isManagementLimit(phones)),
    checkAccounts(row, accounts instanceof Error ? accounts : accounts.map((account) => account.id), phones),
    checkNumbers(phones ?? noAccount),
    checkSending(obstacles ?? null),
    checkNotifications(ctx, row, callbacks ?? noAccount),
  ];
}

function expected(error: unknown): Error {
  if (error instanceof PlatformError || error instanceof ConnectionError) return error;
  throw error;
}

/** Messages of the platform and of connections end with a full stop or without one. */
const sentence = (text: string): string => `${text.replace(/\.$/, '')}.`;

const fixOf = (error: Error): string =>
  error instanceof PlatformError ? error.meaning.hint : 'Reconnect the connection.';

function checkToken(ctx: MessagingContext, row: ConnectionRow, facts: TokenFacts | Error): Check {
  // Missing scopes are a separate finding.
  const connection = toConnection(ctx, { ...row, scopes: ctx.platform.scopes });
  const id = 'token';
  if (connection.status === 'needs_reconnecting') {
    return {
      id,
      result: 'failed',
      what: sentence(connection.status_reason ?? 'It has expired'),
      fix: 'Reconnect the connection.',
    };
  }
  if (facts instanceof Error) {
    const isBroken = facts instanceof PlatformError && facts.kind === 'token';
    return {
      id,
      result: isBroken ? 'failed' : 'warning',
      what: sentence(facts.message),
      fix: fixOf(facts),
    };
  }
  if (connection.status === 'expires_soon')
    return { id, result: 'warning', what: connection.status_reason ?? '', fix: 'Reconnect it before then.' };
  const renews = connection.refreshes_itself ? 'It is refreshed automatically.' : 'It does not expire.';
  const exchange = canExchange(ctx.platform) ? ' It is exchanged for a new one before then.' : '';
  const ends =
    !connection.refreshes_itself && connection.ends_at
      ? `It is valid until ${connection.ends_at}.${exchange}`
      : renews;
  return { id, result: 'ok', what: `The token is valid. ${ends}`, fix: null };
}

function checkScopes(
  ctx: MessagingContext,
  row: ConnectionRow,
  facts: TokenFacts | Error,
  hasAnswered: boolean,
): Check {
  const granted = facts instanceof Error || facts.scopes.length === 0 ? row.scopes : facts.scopes;
  const missing = findMissingScopes(granted, ctx, hasAnswered);
  if (missing.length === 0)
    return { id: 'scopes', result: 'ok', what: `Granted: ${granted.join(', ') || 'not told'}.`, fix: null };
  const what = `Not granted: ${missing.join(', ')}.`;
  return { id: 'scopes', result: 'failed', what, fix: GRANT_EVERYTHING };
}

/** @param phones of its own account, whose response shows whether it is accessible; undefined: it has none. */
function checkAccounts(
  row: ConnectionRow,
  accounts: string[] | Error,
  phones: PhoneNumber[] | Error | undefined,
): Check {
  const id = 'accounts';
  const isListed = !(accounts instanceof Error) && accounts.includes(row.businessAccountId ?? '');
  if ((Array.isArray(phones) || isManagementLimit(phones)) && !isListed)
    return { id, result: 'ok', what: 'It can access its own business account.', fix: null };
  if (accounts instanceof Error)
    return {
      id,
      result: 'failed',
      what: sentence(`Account discovery failure: ${accounts.message}`),
      fix: fixOf(accounts),
    };
  const role = 'Request the Admin or Editor role on the business account, then reconnect.';
  if (accounts.length === 0)
    return { id, result: 'failed', what: 'It cannot access any business account.', fix: role };
  const what = `It can access ${accounts.length === 1 ? 'one business account' : `${accounts.length} business accounts`}`;
  if (row.businessAccountId === null || (isListed && !isOutOfReach(phones)))
    return { id, result: 'ok', what: `${what}.`, fix: null };
  return { id, result: 'failed', what: `${what}, but not its own (${row.businessAccountId}).`, fix: role };
}

function checkNumbers(phones: PhoneNumber[] | Error): Check {
  const id = 'numbers';
  if (phones instanceof Error)
    return {
      id,
      result: 'warning',
      what: sentence(`The phone numbers could not be read: ${phones.message}`),
      fix: fixOf(phones),
    };
  if (phones.length === 0)
    return {
      id,
      result: 'failed',
      what: 'The business account has no phone number.',
      fix: 'Add one on the platform.',
    };
  const what = phones
    .map(
      (phone) => `${phone.displayPhoneNumber}: ${describeNumber({ ...phone, quality: phone.qualityRating })}`,
    )
    .join('; ');
  const bad = phones.filter(
    (phone) => phone.qualityRating === 'RED' || (phone.status !== null && phone.status !== 'CONNECTED'),
  );
  if (bad.length > 0) {
    const fix = fixOfNumbers(bad);
    return { id, result: 'warning', what: `${what}.`, fix };
  }
  const isYellow = phones.some((phone) => phone.qualityRating === 'YELLOW');
  const fix = isYellow
    ? 'Numbers of medium quality have lower limits: check which templates customers block.'
    : null;
  return { id, result: isYellow ? 'warning' : 'ok', what: `${what}.`, fix };
}

/** @param bad those of low quality, and those that are not connected */
function fixOfNumbers(bad: readonly PhoneNumber[]): string {
  const isLow = bad.some(({ qualityRating }) => qualityRating === 'RED');
  const isUnregistered = bad.some(({ status }) => isRegistrable(status));
  const isElse = bad.some(
    ({ status }) => status !== null && status !== 'CONNECTED' && !isRegistrable(status),
  );
  return [
    isUnregistered && 'Register those that are not connected, on the page of the connection under Numbers.',
    isLow && 'Numbers of low quality are severely limited: send less and only what customers asked for.',
    isElse && 'The platform’s page of the number says why it is not connected.',
  ]
    .filter(Boolean)
    .join(' ');
}

function checkNotifications(ctx: MessagingContext, row: ConnectionRow, callbacks: string[] | Error): Check {
  const id = 'notifications';
  const fix = 'Subscribe: without notifications neither incoming messages nor delivery statuses arrive.';
  const { url, lastNotificationAt } = receiverOf(ctx, row);
  const last = lastNotificationAt
    ? `The last one was received on ${lastNotificationAt.toISOString()}.`
    : 'None received yet.';
  if (callbacks instanceof Error)
    return {
      id,
      result: 'warning',
      what: `${sentence(`The subscription could not be checked: ${callbacks.message}`)} ${last}`,
      fix: isManagementLimit(callbacks) ? callbacks.meaning.hint : fix,
    };
  const { refusedNotifications: refused, lastRefusedAt } = row;
  if (lastRefusedAt && lastRefusedAt > (lastNotificationAt ?? row.createdAt)) {
    const count = refused === 1 ? 'One notification was' : `${refused} notifications were`;
    return {
      id,
      result: 'warning',
      what: `${count} rejected because the signature does not match the app secret, most recently at ${lastRefusedAt.toISOString()}. ${last}`,
      fix: 'Set MESSAGING_APP_SECRET to the secret of the platform app.',
    };
  }
  if (callbacks.includes(url))
    return { id, result: 'ok', what: `Notifications arrive at this connection. ${last}`, fix: null };
  const elsewhere = callbacks.some((callback) => callback !== '');
  const what = elsewhere
    ? `The platform sends notifications to another callback URL. ${last}`
    : `This connection is not subscribed to notifications. ${last}`;
  return { id, result: lastNotificationAt ? 'warning' : 'failed', what, fix };
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['PHONE_NUMBER', 'the number'],
  ['WABA', 'the business account'],
  ['BUSINESS', 'the business'],
  ['APP', 'the app'],
]);

/** Fixes for obstacles that the platform does not explain, by code. */
const FIXES: ReadonlyMap<number, string> = new Map([
  [141006, 'Add or fix the payment method of the business account at the platform.'],
]);
const SEE_PLATFORM = 'Fix it in the platform’s dashboard.';

/** The health check's findings about the account's right to send. @param obstacles null: the platform did not report any */
export function checkSending(obstacles: readonly Obstacle[] | Error | null): Check {
  const id = 'sending';
  if (obstacles === null || obstacles instanceof Error)
    return {
      id,
      result: 'ok',
      what: 'The platform does not report whether anything blocks sending.',
      fix: null,
    };
  if (obstacles.length === 0)
    return { id, result: 'ok', what: 'The platform blocks nothing: messages can be sent.', fix: null };
  const isBlocked = obstacles.some((each) => each.isBlocked);
  const shown = isBlocked ? obstacles.filter((each) => each.isBlocked) : obstacles;
  const fixes = new Set(
    shown.map(({ code, solution }) => FIXES.get(code ?? 0) ?? (solution || SEE_PLATFORM)),
  );
  return {
    id,
    result: isBlocked ? 'failed' : 'warning',
    what: `The platform ${isBlocked ? 'blocks' : 'limits'} messages because of ${shown.map(describe).join('; ')}.`,
    fix: [...fixes].join(' '),
  };
}

function describe({ of, why, code }: Obstacle): string {
  const words = why.replace(/[.\s]+$/, '');
  return `${NAMES.get(of) ?? of}: ${words}${code === null ? '' : ` (${code})`}`;
}
