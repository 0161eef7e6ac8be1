// How long a workspace's data is kept. What removes it is lib/workflows/retention.
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { createdAtMs, isId, LOWEST_ID } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { retentionProgress, retentionSettings } from '#lib/identity/schema/retention.ts';
import { FOR_EVER, type Retention, RETENTION_DEFAULTS } from './schema.ts';

/** The workspace's retention, and whether an owner chose it: a workspace from before there was retention keeps everything. */
export async function findRetention({
  db,
  workspaceId,
}: Pick<Context, 'db' | 'workspaceId'>): Promise<{ retention: Retention; isChosen: boolean }> {
  const [row] = await db
    .select({
      bodies_days: retentionSettings.bodiesDays,
      runs_days: retentionSettings.runsDays,
      messages_days: retentionSettings.messagesDays,
      audit_days: retentionSettings.auditDays,
    })
    .from(retentionSettings)
    .where(eq(retentionSettings.workspaceId, workspaceId));
  return { retention: row ?? FOR_EVER, isChosen: row !== undefined };
}

/** The workspace's retention. */
export const getRetention = async (ctx: Pick<Context, 'db' | 'workspaceId'>): Promise<Retention> =>
  (await findRetention(ctx)).retention;

/** Sets how long the workspace's data is kept. Workers remove what is older from the next minute on. */
export async function setRetention(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  retention: Retention,
): Promise<Retention> {
  const { retention: before } = await findRetention(ctx);
  await ctx.db.transaction(async (tx) => {
    const values = { ...toColumns(retention), changedAt: sql`now()` };
    await tx
      .insert(retentionSettings)
      .values({ workspaceId: ctx.workspaceId, ...values })
      .onConflictDoUpdate({ target: retentionSettings.workspaceId, set: values });
    await checkAgain(tx, ctx.workspaceId, (retention.runs_days ?? Infinity) > (before.runs_days ?? Infinity));
    await recordAudit(ctx, tx, 'workspace.retention_changed', {
      id: ctx.workspaceId,
      name: describeRetention(retention),
    });
  });
  return retention;
}

/**
 * Everything is checked again under the new times: also, where runs are kept for longer, the contents of those that were
 * about to be deleted and had not been cleared for that.
 */
async function checkAgain(tx: Transaction, workspaceId: string, keepsRunsLonger: boolean): Promise<void> {
  const own = eq(retentionProgress.workspaceId, workspaceId);
  await tx.update(retentionProgress).set({ doneThrough: null }).where(own);
  if (!keepsRunsLonger) return;
  await tx
    .update(retentionProgress)
    .set({ position: LOWEST_ID, leftoverPosition: LOWEST_ID })
    .where(and(own, inArray(retentionProgress.part, ['run_bodies', 'event_bodies'])));
}

/** Gives a new workspace the default retention, in the transaction that creates it. */
export async function insertDefaultRetention(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.insert(retentionSettings).values({ workspaceId, ...toColumns(RETENTION_DEFAULTS) });
}

const toColumns = ({ bodies_days, runs_days, messages_days, audit_days }: Retention) => ({
  bodiesDays: bodies_days,
  runsDays: runs_days,
  messagesDays: messages_days,
  auditDays: audit_days,
});

const inDays = (days: number | null): string =>
  days === null ? 'forever' : days === 1 ? '1 day' : `${days.toLocaleString('en')} days`;

const describeRetention = (retention: Retention): string =>
  `bodies ${inDays(retention.bodies_days)}, runs ${inDays(retention.runs_days)}, ` +
  `messages ${inDays(retention.messages_days)}, audit log ${inDays(retention.audit_days)}`;

/**
 * Why a run or an event with this id is not found: it is as old as what retention has removed. Undefined: that is not why.
 * An id contains its time (lib/core/ids.ts), so that nothing has to be remembered of what was removed.
 */
export async function explainMissing(
  { db, workspaceId }: { db: Pick<Database, 'select'>; workspaceId: string },
  part: 'runs' | 'events',
  id: string,
): Promise<string | undefined> {
  if (!isId(id)) return undefined;
  const { position } = retentionProgress;
  const [row] = await db
    .select({ isPast: sql<boolean>`${position} >= ${id}::uuid`, days: retentionSettings.runsDays })
    .from(retentionProgress)
    .leftJoin(retentionSettings, eq(retentionSettings.workspaceId, retentionProgress.workspaceId))
    .where(and(eq(retentionProgress.workspaceId, workspaceId), eq(retentionProgress.part, part)));
  // Ids of other kinds are not of a time of this century.
  if (row?.isPast !== true || createdAtMs(id) < Date.UTC(2020)) return undefined;
  const noun = part === 'runs' ? 'run' : 'event';
  const kept =
    row.days === null ? 'the retention at that time' : `runs and events are kept for ${inDays(row.days)}`;
  return `This ${noun} was removed: ${kept}.`;
}
