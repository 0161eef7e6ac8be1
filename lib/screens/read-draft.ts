import { toDocument, toGraph } from '#lib/editor/canvas/document.ts';
import { withPositions } from '#lib/editor/canvas/layout.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Context } from '#lib/identity/context.ts';
import { checkPlatform, loadPlatformFacts } from '#lib/messaging/connections/platform-facts.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import type { ConnectionUse, PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import { listConnectionUses } from '#lib/tasks/connection-uses.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { getVersion } from '#lib/workflows/versions.ts';
import type { LoadedDraft, PublishedState } from './editor-types.ts';

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

// The platform's data about connections, limited to what an editor's draft uses: an account can have thousands of templates.

/** Minimum time between queries of the platform about one connection, however many editors are open. */
export const MIN_AGE_SECONDS = 5;

/** From the last check, for the page: it does not wait for the platform. */
export async function readFacts(ctx: Context, tasks: readonly WorkflowTask[]): Promise<PlatformFacts> {
  const uses = listConnectionUses(tasks);
  const ids = uses.map(({ connectionId }) => connectionId);
  return narrow(await loadPlatformFacts(ctx, ids), uses);
}

/** Queries the platform where the last check is older. */
export const askForFacts = async (
  ctx: Context,
  uses: readonly ConnectionUse[],
  maxAgeMs: number,
): Promise<PlatformFacts> => narrow(await checkPlatform(toMessagingContext(ctx), uses, maxAgeMs), uses);

function narrow(facts: PlatformFacts, uses: readonly ConnectionUse[]): PlatformFacts {
  const narrowed = uses.map(({ connectionId, templateNames }) => {
    const known = facts[connectionId] ?? null;
    const accounts = (known?.accounts ?? []).map((account) => ({
      ...account,
      templates: account.templates.filter(({ name }) => templateNames.includes(name)),
      narrowedTo: [...templateNames],
    }));
    return [connectionId, known && { ...known, accounts }] as const;
  });
  return Object.fromEntries(narrowed);
}
