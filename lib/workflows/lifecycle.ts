import { and, eq, lt, sql } from 'drizzle-orm';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import { AppError } from '#lib/core/errors.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { webhookTokens, workflows } from '#lib/engine/schema/workflows.ts';
import { openGate, openWorkspaceGate } from '#lib/engine/store/run-lines.ts';
import { alignSchedule } from '#lib/engine/schedules/schedules.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import { listenToDraft } from './listen-as-drafted.ts';
import { loadWorkflow, lockWorkflow, tokenBinding, type WorkflowRow } from './load-workflow.ts';
import type { RunLimit, Workflow } from './schema.ts';
import { cancelOpenRuns } from './trash/open-runs.ts';

/** Resumes a paused workflow. @throws AppError `not_found`; `conflict` when it is not published */
export async function activateWorkflow(ctx: ActorContext, { id }: { id: string }): Promise<Workflow> {
  return changeWorkflow(
    ctx,
    { id, action: 'workflow.activated' },
    (row) => {
      if (row.publishedVersion === null) {
        throw new AppError(
          'conflict',
          'The workflow is not published. Publish it; the first time this also activates it.',
        );
      }
      return { active: true, holdsRuns: false };
    },
    resume,
  );
}

const resume = async (tx: Transaction, row: WorkflowRow): Promise<void> => {
  await alignSchedule(tx, row.id);
  await openGateOf(tx, row);
};

const openGateOf = (tx: Transaction, { id }: WorkflowRow): Promise<void> => openGate(tx, id);

export interface PauseInput {
  id: string;
  /** Webhooks are accepted, and their runs begin when the workflow is resumed. */
  hold?: boolean | undefined;
}

/**
 * Starts no more runs, and its schedule none: events are stored and can be replayed later, or, with `hold`, their runs wait. Runs in progress continue.
 * @throws AppError `not_found`; `conflict` when it holds runs that would begin now
 */
export async function pauseWorkflow(ctx: ActorContext, { id, hold = false }: PauseInput): Promise<Workflow> {
  const toChange = (row: WorkflowRow): Partial<WorkflowRow> => {
    if (hold && row.publishedVersion === null)
      throw new AppError('conflict', 'The workflow is not published, so there is nothing to hold.');
    if (row.holdsRuns && !hold)
      throw new AppError('conflict', 'The workflow holds its runs. Resume it first: they begin then.');
    return { active: false, holdsRuns: hold };
  };
  const change = { id, action: hold ? 'workflow.held' : 'workflow.paused' };
  return changeWorkflow(ctx, change, toChange, (tx, row) => alignSchedule(tx, row.id));
}

/** Held runs are counted up to here. */
const MAX_HELD = 10_000;

/** How many runs wait until a paused workflow is resumed, at most 10,000; 0 where it holds none, or is not in the workspace. */
export async function countHeldRuns(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  { id }: { id: string },
): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from (
      select from ${workflows} w join run_gates g on g.workflow_id = w.id
      where w.id = ${id} and w.workspace_id = ${workspaceId} and w.holds_runs and not g.is_through limit ${MAX_HELD}
    ) held`);
  return rows[0]?.count ?? 0;
}

/**
 * Limits how many of a workflow's runs are executed at once, for runs that arrive from now on and those that wait.
 * @throws AppError `not_found`
 */
export async function limitRuns(
  ctx: ActorContext,
  { id, max_concurrent_runs: maxConcurrentRuns }: { id: string; max_concurrent_runs: number | null },
): Promise<Workflow> {
  return changeWorkflow(
    ctx,
    { id, action: 'workflow.runs_limited' },
    () => ({ maxConcurrentRuns }),
    openGateOf,
  );
}

/** How many runs the workspace executes at once, over all its workflows (docs/engine.md, "Gates"). */
export async function getWorkspaceRunLimit({
  db,
  workspaceId,
}: Pick<Context, 'db' | 'workspaceId'>): Promise<RunLimit> {
  const [row] = await db
    .select({ max_concurrent_runs: workspaces.maxConcurrentRuns })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  return row ?? { max_concurrent_runs: null };
}

/** Limits how many runs the workspace executes at once: of runs that arrive from now on, and of those that wait. */
export async function setWorkspaceRunLimit(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { max_concurrent_runs: maxConcurrentRuns }: RunLimit,
): Promise<RunLimit> {
  const { workspaceId: id } = ctx;
  await ctx.db.transaction(async (tx) => {
    await tx.update(workspaces).set({ maxConcurrentRuns }).where(eq(workspaces.id, id));
    const name =
      maxConcurrentRuns === null ? 'no limit' : `at most ${maxConcurrentRuns.toLocaleString('en')}`;
    await recordAudit(ctx, tx, 'workspace.runs_limited', { id, name });
    await openWorkspaceGate(tx, id);
  });
  return { max_concurrent_runs: maxConcurrentRuns };
}

/**
 * Unpublishes a workflow; its versions stay, and runs in progress continue. It subscribes to the messages of its draft.
 * @throws AppError `not_found`
 */
export async function unpublishWorkflow(ctx: ActorContext, { id }: { id: string }): Promise<Workflow> {
  return changeWorkflow(
    ctx,
    { id, action: 'workflow.unpublished' },
    () => ({ publishedVersion: null, answersAfterRun: false }),
    async (tx, { draft }) => {
      await alignSchedule(tx, id);
      await listenToDraft(ctx, tx, { id, draft });
    },
  );
}

/** Renames a workflow; versions keep the name they were published under. @throws AppError `not_found` */
export async function renameWorkflow(
  ctx: ActorContext,
  { id, name }: { id: string; name: string },
): Promise<Workflow> {
  return changeWorkflow(ctx, { id, action: 'workflow.renamed' }, () => ({ name }));
}

/** Replaces a workflow's tags. @throws AppError `not_found` */
export async function tagWorkflow(
  ctx: ActorContext,
  { id, tags }: { id: string; tags: string[] },
): Promise<Workflow> {
  return changeWorkflow(ctx, { id, action: 'workflow.tagged' }, (row) =>
    row.tags.join() === tags.join() ? {} : { tags },
  );
}

/**
 * Moves a workflow to the trash: its URLs are unknown from now on and it is in no list, until `restoreWorkflow` restores it or
 * housekeeping deletes it permanently. Its events and runs stay. Runs in progress continue, unless cancellation is requested.
 * @returns its name
 * @throws AppError `not_found`
 */
export async function deleteWorkflow(
  ctx: ActorContext,
  { id, cancel_runs = false }: { id: string; cancel_runs?: boolean | undefined },
): Promise<{ id: string; name: string }> {
  const { name, cancelled } = await ctx.db.transaction(async (tx) => {
    const row = await lockWorkflow(ctx, tx, id);
    await tx.update(workflows).set({ deletedAt: new Date() }).where(eq(workflows.id, id));
    await alignSchedule(tx, id);
    await recordAudit(ctx, tx, 'workflow.deleted', { id, name: row.name });
    return { name: row.name, cancelled: cancel_runs ? await cancelOpenRuns(ctx, tx, row.id) : 0 };
  });
  for (let told = 0; told < cancelled; told += 1) telemetry.run.tell({ status: 'cancelled' });
  return { id, name };
}

interface Change {
  id: string;
  /** For the audit log. */
  action: string;
}

/**
 * Updates a workflow's row, which is locked during the update. Nothing is recorded where it has the wanted values already.
 * @param alongside further changes in the same transaction
 * @throws AppError `not_found`, and errors of `toChange`
 */
async function changeWorkflow(
  ctx: ActorContext,
  { id, action }: Change,
  toChange: (row: WorkflowRow) => Partial<WorkflowRow>,
  alongside?: (tx: Transaction, row: WorkflowRow) => Promise<void>,
): Promise<Workflow> {
  return ctx.db.transaction(async (tx) => {
    const row = await lockWorkflow(ctx, tx, id);
    const change = toChange(row);
    if (Object.entries(change).some(([column, value]) => row[column as keyof WorkflowRow] !== value)) {
      await tx
        .update(workflows)
        .set({ ...change, updatedAt: new Date() })
        .where(eq(workflows.id, id));
      await alongside?.(tx, row);
      await recordAudit(ctx, tx, action, { id, name: change.name ?? row.name });
    }
    return loadWorkflow(ctx, id, tx);
  });
}

export interface RotateTokenInput {
  id: string;
  /** How long the old URLs still work; this also limits tokens that were replaced before. */
  keep_old_for_seconds: number;
}

/** Replaces a workflow's URLs. @throws AppError `not_found` */
export async function rotateToken(
  ctx: ActorContext,
  { id, keep_old_for_seconds }: RotateTokenInput,
): Promise<Workflow> {
  return ctx.db.transaction(async (tx) => {
    const { name } = await lockWorkflow(ctx, tx, id);
    const ends = sql`now() + ${keep_old_for_seconds} * interval '1 second'`;
    const ofWorkflow = eq(webhookTokens.workflowId, id);
    await tx
      .update(webhookTokens)
      .set({ expiresAt: sql`least(${webhookTokens.expiresAt}, ${ends})` })
      .where(ofWorkflow);
    await tx.delete(webhookTokens).where(and(ofWorkflow, lt(webhookTokens.expiresAt, sql`now()`)));
    const token = newToken();
    await tx.insert(webhookTokens).values({
      tokenHash: hashToken(token),
      workflowId: id,
      tokenEncrypted: ctx.secrets.seal(token, tokenBinding(ctx.workspaceId, id)),
    });
    await recordAudit(ctx, tx, 'workflow.urls_rotated', { id, name });
    return loadWorkflow(ctx, id, tx);
  });
}
