import { and, desc, eq, isNull, inArray } from 'drizzle-orm';
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

export interface KnownWorkflow {
  name: string;
  /** In the trash, or deleted permanently. */
  isDeleted: boolean;
}

/** The names of workflows by id, including deleted ones, whose runs and events stay. */
export async function findWorkflowNames(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  ids: readonly (string | null)[],
): Promise<Map<string, KnownWorkflow>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const { id, name, deletedAt, workspaceId } = workflows;
  const rows = await ctx.db
    .select({ id, name, deletedAt })
    .from(workflows)
    .where(and(eq(workspaceId, ctx.workspaceId), inArray(id, wanted)));
  return new Map(rows.map((row) => [row.id, { name: row.name, isDeleted: row.deletedAt !== null }]));
}
