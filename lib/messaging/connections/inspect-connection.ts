// Queries the platform for what a connection can do and stores the result, so that workflows can be checked without further
// queries. Without an answer only the state of the check itself changes.
import { eq, type SQL, sql } from 'drizzle-orm';
import { describeTemplate } from '#lib/messaging/message-templates/schema/describe-template.ts';
import { findPortfolio, listPhones } from '#lib/messaging/platform/discovery.ts';
import type { GraphAccess } from '#lib/messaging/platform/graph.ts';
import { inspectToken } from '#lib/messaging/platform/inspect-token.ts';
import {
  isLastingRefusal,
  isManagementLimit,
  PlatformError,
} from '#lib/messaging/platform/platform-error.ts';
import type { PlatformSettings } from '#lib/messaging/platform/settings.ts';
import { listDetailedTemplates } from '#lib/messaging/platform/templates.ts';
import { connectionFacts, connections } from '#lib/messaging/schema/connections.ts';
import type { AccountFacts, Portfolio } from '#lib/messaging/schema/fact-types.ts';
import { ConnectionError, withAccessToken } from './tokens/access-token.ts';
import { findConnectionRow } from './connection-rows.ts';
import type { MessagingContext } from './context.ts';

/** Interval between checks of a connection without notifications. */
const CHECK_MINUTES = 30;
/** Delay before a connection is checked again after a check without an answer. */
const RETRY_MINUTES = 5;
/**
 * Maximum number of accounts of one connection: each takes two calls, one more until its portfolio is known, and the platform
 * limits the calls of an account.
 */
const MAX_ACCOUNTS = 10;
/** The maximum that a business account can have without a special agreement. */
const MAX_TEMPLATES = 6000;

/**
 * Checks a connection and the business accounts that tasks use it for. @param accountIds besides its own and those of earlier
 * checks @returns whether the platform answered, also with an invalid token.
 */
export async function inspectConnection(
  ctx: MessagingContext,
  id: string,
  accountIds: readonly string[] = [],
): Promise<boolean> {
  const row = await findConnectionRow(ctx, id);
  if (!row) return true;
  const [known] = await ctx.db.select().from(connectionFacts).where(eq(connectionFacts.connectionId, id));
  const wanted = [row.businessAccountId, ...accountIds, ...(known?.accounts ?? []).map((each) => each.id)];
  const asked = [...new Set(wanted)].filter((each) => each !== null).slice(0, MAX_ACCOUNTS);
  const portfolios = new Map((known?.accounts ?? []).map((each) => [each.id, each.portfolio]));
  try {
    const ofToken = await readToken(ctx, id);
    const accounts = await Promise.all(asked.map((each) => readAccount(ctx, id, each, portfolios.get(each))));
    await ctx.db.transaction(async (tx) => {
      const kept = await tx
        .update(connections)
        .set({ ...answered(ctx, asked), ...ofToken })
        .where(eq(connections.id, id))
        .returning({ id: connections.id });
      if (kept.length === 0) return;
      const set = { accounts };
      await tx
        .insert(connectionFacts)
        .values({ connectionId: id, accounts })
        .onConflictDoUpdate({ target: connectionFacts.connectionId, set });
    });
    return true;
  } catch (error) {
    if (!isExpected(error)) throw error;
    if (isManagementLimit(error)) {
      await putOff(ctx, id, asked, error);
      return true;
    }
    const isAnswer = isDeadToken(error);
    const set = isAnswer
      ? answered(ctx, asked)
      : { checkProblem: error.message, checkDueAt: checkIn(ctx, RETRY_MINUTES, asked) };
    await ctx.db.update(connections).set(set).where(eq(connections.id, id));
    return isAnswer;
  }
}

/** The account has used up its calls: it has no problem, and the known data stays. */
async function putOff(
  ctx: MessagingContext,
  id: string,
  accountIds: readonly string[],
  { facts }: PlatformError,
): Promise<void> {
  const { graphUsage } = ctx.platform;
  const told = Math.ceil((facts.retryAfterSeconds ?? 0) / 60);
  graphUsage.block(accountIds, told || CHECK_MINUTES);
  const minutes = minutesUntilCheck(ctx.platform, CHECK_MINUTES, accountIds);
  const checkProblem = `The platform answers no more checks of this account for now: its calls of this hour are used up. Messages are still sent. The next check is in about ${minutes} minutes.`;
  const set = { checkProblem, checkDueAt: checkIn(ctx, CHECK_MINUTES, accountIds) };
  await ctx.db.update(connections).set(set).where(eq(connections.id, id));
}

const answered = (ctx: MessagingContext, accountIds: readonly string[]) => ({
  checkedAt: sql`clock_timestamp()`,
  checkProblem: null,
  checkDueAt: checkIn(ctx, CHECK_MINUTES, accountIds),
});

const checkIn = ({ platform }: MessagingContext, minutes: number, accountIds: readonly string[]) =>
  sql`clock_timestamp() + make_interval(mins => ${minutesUntilCheck(platform, minutes, accountIds)})`;

const isExpected = (error: unknown): error is PlatformError | ConnectionError =>
  error instanceof PlatformError || error instanceof ConnectionError;

const isDeadToken = (error: PlatformError | ConnectionError): boolean =>
  error instanceof ConnectionError ? error.isFinal : error.kind === 'token';

/** Whether the platform refuses only this field: the others can be queried. */
const isRefusal = (error: unknown): error is PlatformError =>
  error instanceof PlatformError &&
  ['unknown_object', 'permission', 'parameters', 'restricted'].includes(error.kind);

/** Granted scopes, and the expiry of a token without a refresh token, where the platform reports them. */
async function readToken(
  ctx: MessagingContext,
  id: string,
): Promise<{ scopes?: string[]; tokenExpiresAt?: SQL }> {
  try {
    const { facts, revision } = await withAccessToken(ctx, id, async (access, asked) => ({
      facts: await inspectToken(access),
      revision: asked,
    }));
    const { scopes, expiresAt } = facts;
    return {
      ...(scopes.length > 0 ? { scopes } : {}),
      ...(expiresAt === undefined ? {} : { tokenExpiresAt: endOf(revision, expiresAt) }),
    };
  } catch (error) {
    if (isLastingRefusal(error)) return {};
    throw error;
  }
}

/** Only for the inspected tokens; those with a refresh token have reported their expiry themselves. */
const endOf = (revision: number, expiresAt: Date | null): SQL =>
  sql`case when ${connections.tokenRevision} = ${revision} and ${connections.refreshTokenEncrypted} is null
    then ${expiresAt?.toISOString() ?? null}::timestamptz else ${connections.tokenExpiresAt} end`;

/** @param known the account's portfolio from an earlier check: it does not change */
async function readAccount(
  ctx: MessagingContext,
  id: string,
  accountId: string,
  known: Portfolio | undefined,
): Promise<AccountFacts> {
  const ask = <Result>(call: (access: GraphAccess) => Promise<Result>): Promise<Result> =>
    withAccessToken(ctx, id, call);
  try {
    const phones = await ask((access) => listPhones(access, accountId));
    const templates = await ask((access) =>
      listDetailedTemplates(access, accountId, { limit: MAX_TEMPLATES }),
    );
    const portfolio = known ?? (await ask((access) => findPortfolio(access, accountId)));
    return {
      id: accountId,
      problem: null,
      ...(portfolio && { portfolio }),
      phones: phones.map((phone) => ({
        id: phone.id,
        label: phone.displayPhoneNumber || phone.verifiedName || phone.id,
        status: phone.status,
        tier: phone.tier,
        portfolioTier: phone.portfolioTier,
        throughput: phone.throughput,
      })),
      templates: templates.map(({ parameter_format: parameterFormat, ...template }) =>
        describeTemplate({ ...template, parameterFormat }),
      ),
    };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { id: accountId, problem: error.message, phones: [], templates: [] };
  }
}

/** Factor for the interval of checks while most of the calls are used up. */
const SLOWER = 4;

/**
 * Minutes until the next background check: longer while the platform reports that the app, or one of the accounts, has used
 * most of its calls, and not before it answers again. @param minutes the usual interval
 */
export const minutesUntilCheck = (
  { graphUsage }: Pick<PlatformSettings, 'graphUsage'>,
  minutes: number,
  accountIds: readonly string[] = [],
): number =>
  Math.max(graphUsage.isHigh(accountIds) ? minutes * SLOWER : minutes, graphUsage.blockedMinutes(accountIds));
