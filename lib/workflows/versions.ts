import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { openGate } from '#lib/engine/store/run-lines.ts';
import { alignSchedule } from '#lib/engine/schedules/schedules.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { workflows, workflowVersions } from '#lib/engine/schema/workflows.ts';
import { findVersion } from '#lib/engine/store/load-version.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { keyActor } from '#lib/identity/key-actor.ts';
import { toCurrentGraph } from '#lib/tasks/current-shape.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import { loadWorkflow, noSuchWorkflow } from './load-workflow.ts';
import type { Workflow } from './schema.ts';
import { inTrash } from './trash/trash.ts';

/** A published version, as the history lists it. */
export interface WorkflowVersion {
  version: number;
  /** The workflow's name at that time. */
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** An email address, or the name of an API key. */
  author: string;
  taskCount: number;
}

const MAX_VERSIONS = 200;

/** The newest published versions of a workflow, newest first. @throws AppError `not_found` */
export async function listVersions(ctx: Context, { id }: { id: string }): Promise<WorkflowVersion[]> {
  if (!isId(id)) throw noSuchWorkflow();
  const rows = await ctx.db
    .select({
      version: workflowVersions.version,
      name: workflowVersions.name,
      createdAt: workflowVersions.createdAt,
      email: users.email,
      keyName: apiKeys.name,
      taskCount: sql<number>`json_array_length(${workflowVersions.graph}->'tasks')`,
    })
    .from(workflowVersions)
    .innerJoin(workflows, eq(workflows.id, workflowVersions.workflowId))
    .leftJoin(users, eq(sql`${users.id}::text`, workflowVersions.createdBy))
    .leftJoin(
      apiKeys,
      and(
        eq(sql`${keyActor('')}::text || ${apiKeys.id}::text`, workflowVersions.createdBy),
        eq(apiKeys.workspaceId, ctx.workspaceId),
      ),
    )
    .where(
      and(
        eq(workflows.id, id),
        eq(workflows.workspaceId, ctx.workspaceId),
        isNull(workflows.deletedAt),
        gt(workflowVersions.version, 0),
      ),
    )
    .orderBy(desc(workflowVersions.version))
    .limit(MAX_VERSIONS);
  if (rows.length === 0) await loadWorkflow(ctx, id);
  return rows.map(({ createdAt, email, keyName, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    author: email ?? (keyName === null ? 'the API' : `the API key "${keyName}"`),
  }));
}

/** A version of a workflow, in the shape of today, with the name it was published under. @throws AppError `not_found` */
export async function getVersion(
  ctx: Context,
  { id, version }: { id: string; version: number },
): Promise<WorkflowGraph & { name: string }> {
  const isMine = and(
    eq(workflows.id, id),
    eq(workflows.workspaceId, ctx.workspaceId),
    isNull(workflows.deletedAt),
  );
  const [mine] = isId(id) ? await ctx.db.select({ id: workflows.id }).from(workflows).where(isMine) : [];
  const found = mine && (await findVersion(ctx.db.$client, id, version));
  if (!found) throw new AppError('not_found', 'This version does not exist.');
  return { name: found.name, ...toCurrentGraph(found.graph) };
}

/**
 * Restores a workflow from the trash, with its URLs, subscriptions and published version. It is paused unless activation is
 * requested.
 * @throws AppError `not_found`
 */
export async function restoreWorkflow(
  ctx: ActorContext,
  { id, activate = false }: { id: string; activate?: boolean | undefined },
): Promise<Workflow> {
  if (!isId(id)) throw noSuchWorkflow();
  return ctx.db.transaction(async (tx) => {
    const isInTrash = and(eq(workflows.id, id), inTrash(tx, ctx.workspaceId));
    const [row] = await tx
      .select({ name: workflows.name, publishedVersion: workflows.publishedVersion })
      .from(workflows)
      .where(isInTrash)
      .for('update');
    if (row) {
      const active = activate && row.publishedVersion !== null;
      const change = {
        deletedAt: null,
        active,
        updatedAt: new Date(),
        ...(active ? { holdsRuns: false } : {}),
      };
      await tx.update(workflows).set(change).where(eq(workflows.id, id));
      await alignSchedule(tx, id);
      if (active) await openGate(tx, id);
      await recordAudit(ctx, tx, 'workflow.restored', { id, name: row.name });
    }
    return loadWorkflow(ctx, id, tx);
  });
}
