import { and, eq, isNull } from 'drizzle-orm';
import { workflows, workflowVersions } from '#lib/engine/schema/workflows.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';

/** A version's drawing with the name it was published under. @throws AppError `not_found` */
export async function getVersion(
  ctx: Context,
  { id, version }: { id: string; version: number },
): Promise<WorkflowGraph & { name: string }> {
  const rows = isId(id)
    ? await ctx.db
        .select({ name: workflowVersions.name, graph: workflowVersions.graph })
        .from(workflowVersions)
        .innerJoin(workflows, eq(workflows.id, workflowVersions.workflowId))
        .where(
          and(
            eq(workflows.id, id),
            eq(workflows.workspaceId, ctx.workspaceId),
            isNull(workflows.deletedAt),
            eq(workflowVersions.version, version),
          ),
        )
    : [];
  const [row] = rows;
  if (!row) throw new AppError('not_found', 'This version does not exist.');
  return { name: row.name, ...row.graph };
}
