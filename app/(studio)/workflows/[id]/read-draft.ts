import type { LiveState, LoadedDraft } from '#components/canvas/editor-actions.ts';
import type { Context } from '#lib/workspaces/context.ts';
import { getVersion } from '#lib/workflows/get-version.ts';
import type { Workflow } from '#lib/workflows/schema.ts';

export const toLoadedDraft = (workflow: Workflow): LoadedDraft => ({
  graph: {
    name: workflow.name,
    tasks: workflow.tasks,
    edges: workflow.edges,
    ...(workflow.notes ? { notes: workflow.notes } : {}),
  },
  revision: workflow.draft_revision,
  nextTaskId: workflow.next_task_id,
});

/** What callers meet, with the drawing that is published. */
export async function readLiveState(
  ctx: Context,
  { id, published_version: version, active }: Workflow,
): Promise<LiveState> {
  const published = version === null ? null : await getVersion(ctx, { id, version });
  return {
    publishedVersion: version,
    active,
    publishedGraph: published && { tasks: published.tasks, edges: published.edges },
  };
}
