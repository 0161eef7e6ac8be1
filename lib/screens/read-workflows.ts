import * as z from 'zod';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import { listMask } from '#lib/messaging/mask.ts';
import { listFailures } from '#lib/workflows/failures/list-failures.ts';
import { listSilences } from '#lib/workflows/silences.ts';
import { listWorkflowRows } from '#lib/workflows/list-workflow-rows.ts';
import type { WorkflowPage } from '#lib/workflows/row-schema.ts';
import { SORT_ORDERS } from '#lib/workflows/sort-workflows.ts';

/** The URL filters of the list of workflows; invalid values count as absent. */
export const workflowFilterSchema = z.object({
  text: z.string().trim().max(500).default('').catch(''),
  tag: z.string().max(100).default('').catch(''),
  order: z.enum(SORT_ORDERS).default('changed').catch('changed'),
  cursor: z.string().max(2000).optional().catch(undefined),
});

/**
 * A page of the list of workflows, with warnings: only the workflows on it are checked for silence and failures. Customers'
 * numbers in error texts are masked unless the workspace shows them.
 */
export async function readWorkflows(
  ctx: MemberContext,
  filter: z.output<typeof workflowFilterSchema>,
): Promise<WorkflowPage> {
  const page = await listWorkflowRows(ctx, filter);
  const ids = page.data.map(({ id }) => id);
  const [silences, failures] = await Promise.all([
    listSilences(ctx, { ids }),
    listFailures(ctx, { userId: ctx.user.id, ids }),
  ]);
  const clean = listMask(ctx);
  const failuresOf = (id: string) => {
    const known = failures.get(id);
    return known && { ...known, reason: clean(known.reason) };
  };
  const data = page.data.map((row) => ({
    ...row,
    silence: silences.get(row.id),
    failures: failuresOf(row.id),
  }));
  return { ...page, data };
}
