import { and, eq, isNull } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { findVersion } from '#lib/engine/store/load-version.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';

/** A version of a workflow with the name it was published under. @throws AppError `not_found` */
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
  return { name: found.name, ...found.graph };
}
