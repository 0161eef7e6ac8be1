import { eq } from 'drizzle-orm';
import { openWorkspaceGate } from '#lib/engine/store/run-lines.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import type { RunLimit } from './schema.ts';

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
