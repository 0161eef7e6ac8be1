import { withoutSecrets } from '#lib/tasks/seal-graph.ts';
import type { Context } from '#lib/identity/context.ts';
import { loadWorkflow } from './load-workflow.ts';
import type { ExportedWorkflow } from './schema.ts';

/**
 * A workflow for importing elsewhere: its graph without ids of this installation, URLs, tokens or secrets. Secrets are
 * `••••••`, and are entered again before publishing.
 * @throws AppError `not_found`
 */
export async function exportWorkflow(ctx: Context, { id }: { id: string }): Promise<ExportedWorkflow> {
  const { name, tasks, edges, notes } = withoutSecrets(await loadWorkflow(ctx, id));
  return { name, tasks, edges, ...(notes ? { notes } : {}) };
}
