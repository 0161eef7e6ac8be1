import type { PublishedState, LoadedDraft } from './editor-types.ts';
import { toDocument, toGraph } from '#lib/editor/canvas/document.ts';
import { withPositions } from '#lib/editor/canvas/layout.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { Context } from '#lib/identity/context.ts';
import { getVersion } from '#lib/workflows/get-version.ts';
import type { Workflow } from '#lib/workflows/schema.ts';

export const toLoadedDraft = (workflow: Workflow): LoadedDraft => ({
  graph: toPlacedGraph(workflow),
  revision: workflow.draft_revision,
  nextTaskId: workflow.next_task_id,
});

/** A workflow with a position for every task: those created through the API may have none. */
export function toPlacedGraph(graph: WorkflowGraph & { name: string }): WorkflowGraph & { name: string } {
  const document = withPositions(toDocument(graph));
  return { name: document.name, ...toGraph(document) };
}

/** The published state, with the published workflow. */
export async function readPublishedState(
  ctx: Context,
  { id, published_version: version, active }: Workflow,
): Promise<PublishedState> {
  const published = version === null ? null : await getVersion(ctx, { id, version });
  return {
    publishedVersion: version,
    active,
    publishedGraph: published && {
      tasks: published.tasks,
      edges: published.edges,
      notes: published.notes,
    },
  };
}
