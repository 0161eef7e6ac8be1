import { and, desc, eq, isNull } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import type { Context } from '#lib/identity/context.ts';

/** Filters show no more than this. */
const MAX_NAMES = 1000;

/** The names of the workspace's workflows, most recently changed first, for filters, links and the command palette. */
export function listWorkflowNames(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
): Promise<{ id: string; name: string }[]> {
  return ctx.db
    .select({ id: workflows.id, name: workflows.name })
    .from(workflows)
    .where(and(eq(workflows.workspaceId, ctx.workspaceId), isNull(workflows.deletedAt)))
    .orderBy(desc(workflows.updatedAt), desc(workflows.id))
    .limit(MAX_NAMES);
}
