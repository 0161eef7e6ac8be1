import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { users } from '#lib/identity/schema/accounts.ts';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import { workflows, workflowVersions } from '#lib/engine/schema/workflows.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { keyActor } from '#lib/identity/key-actor.ts';
import { loadWorkflow, noSuchWorkflow } from './load-workflow.ts';
import type { WorkflowVersion } from './version-types.ts';

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
