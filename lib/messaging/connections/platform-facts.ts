import { and, eq, inArray } from 'drizzle-orm';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { connectionFacts, connections } from '#lib/messaging/schema/connections.ts';
import type { ConnectionFacts, ConnectionUse, PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import type { MessagingContext } from './context.ts';
import { hasAnswered } from './find-answering.ts';
import { inspectConnection } from './inspect-connection.ts';
import type { ScopesContext } from './missing-scopes.ts';
import { toConnection } from './to-connection.ts';

/** Within this time after a check, items that it did not find do not exist; later they may have been created. */
const SURE_MS = 15_000;

/**
 * The platform's data about connections from their last check; it is not queried. @param ids null: all of the workspace.
 * Unknown ids are null in the result.
 */
export async function loadPlatformFacts(
  ctx: Pick<Context, 'db'> & ScopesContext,
  ids: readonly string[] | null,
): Promise<PlatformFacts> {
  const wanted = ids?.filter(isId);
  const rows =
    wanted?.length === 0
      ? []
      : await ctx.db
          .select({ row: connections, accounts: connectionFacts.accounts })
          .from(connections)
          .leftJoin(connectionFacts, eq(connectionFacts.connectionId, connections.id))
          .where(
            and(
              eq(connections.workspaceId, ctx.workspaceId),
              wanted ? inArray(connections.id, wanted) : undefined,
            ),
          );
  const found = rows.map(({ row, accounts }): [string, ConnectionFacts] => {
    const { name, business_account_id, status, status_reason, checked_at, check_problem } = toConnection(
      ctx,
      row,
      hasAnswered(row, accounts),
    );
    const problem = status === 'needs_reconnecting' ? (status_reason ?? 'It has to be reconnected.') : null;
    return [
      row.id,
      {
        name,
        accountId: business_account_id,
        problem,
        checkedAt: checked_at,
        checkProblem: check_problem,
        accounts: accounts ?? [],
      },
    ];
  });
  return { ...Object.fromEntries((ids ?? []).map((id) => [id, null])), ...Object.fromEntries(found) };
}

/**
 * The same, after querying the platform about connections without a recent check, once for each. @param maxAgeMs maximum age of
 * a recent check; 0: always queries.
 */
export async function checkPlatform(
  ctx: MessagingContext,
  uses: readonly ConnectionUse[],
  maxAgeMs: number,
): Promise<PlatformFacts> {
  const { graphUsage } = ctx.platform;
  const ids = uses.map(({ connectionId }) => connectionId);
  const before = await loadPlatformFacts(ctx, ids);
  const due = uses.filter((use) => {
    const facts = before[use.connectionId];
    if (!facts || graphUsage.blockedMinutes([facts.accountId ?? '', ...use.accountIds]) > 0) return false;
    return !(isFresh(facts, maxAgeMs) && (knowsAll(facts, use) || isFresh(facts, SURE_MS)));
  });
  if (due.length === 0) return before;
  await Promise.all(
    due.map(({ connectionId, accountIds }) => inspectConnection(ctx, connectionId, accountIds)),
  );
  return loadPlatformFacts(ctx, ids);
}

const isFresh = ({ checkedAt, checkProblem }: ConnectionFacts, maxAgeMs: number): boolean =>
  checkedAt !== null && checkProblem === null && Date.now() - Date.parse(checkedAt) < maxAgeMs;

/** An unusable connection has no data about accounts, and a query does not help. */
const knowsAll = (
  { problem, accounts }: ConnectionFacts,
  { accountIds, templateNames }: ConnectionUse,
): boolean =>
  problem !== null ||
  (accountIds.every((id) => accounts.some((account) => account.id === id)) &&
    templateNames.every((name) =>
      accounts.some(({ templates }) => templates.some((template) => template.name === name)),
    ));
