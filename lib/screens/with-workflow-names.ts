import type { Context } from '#lib/identity/context.ts';
import type { WorkflowOfRow } from '#lib/screens/list-types.ts';
import { findWorkflowNames } from '#lib/workflows/find-workflow-names.ts';

/** Rows with their workflows' names, including deleted ones. */
export async function withWorkflowNames<Row extends { workflowId: string | null }>(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  rows: readonly Row[],
): Promise<(Row & WorkflowOfRow)[]> {
  const known = await findWorkflowNames(
    ctx,
    rows.map(({ workflowId }) => workflowId),
  );
  return rows.map((row) => {
    const workflow = row.workflowId === null ? undefined : known.get(row.workflowId);
    return {
      ...row,
      workflowName: workflow?.name ?? null,
      isWorkflowDeleted: workflow?.isDeleted ?? row.workflowId !== null,
    };
  });
}
