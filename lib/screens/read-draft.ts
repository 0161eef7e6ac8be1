import { toDocument, toGraph } from '#lib/editor/canvas/document.ts';
import { withPositions } from '#lib/editor/canvas/layout.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Context } from '#lib/identity/context.ts';
import { checkPlatform, loadPlatformFacts } from '#lib/messaging/connections/platform-facts.ts';
import { listMessageStarts } from '#lib/messaging/connections/workflow-subscriptions.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import type { ConnectionUse, PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import { listConnectionUses } from '#lib/tasks/connection-uses.ts';
import { listCallers } from '#lib/workflows/calls/check-calls.ts';
import { countHeldRuns } from '#lib/workflows/lifecycle.ts';
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
  { id, published_version: version, active, holds_runs, max_concurrent_runs }: Workflow,
): Promise<PublishedState> {
  const [published, heldRuns, calledBy] = await Promise.all([
    version === null ? null : getVersion(ctx, { id, version }),
    countHeldRuns(ctx, { id }),
    listCallers(ctx, { id }),
  ]);
  return {
    publishedVersion: version,
    active,
    holdsRuns: holds_runs,
    heldRuns,
    maxConcurrentRuns: max_concurrent_runs,
    calledBy,
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
export async function readFacts(
  ctx: Context,
  { id, tasks }: { id: string; tasks: readonly WorkflowTask[] },
): Promise<PlatformFacts> {
  const uses = listConnectionUses(tasks);
  const ids = uses.map(({ connectionId }) => connectionId);
  return forDraft(ctx, { id, uses, facts: await loadPlatformFacts(ctx, ids) });
}

/** Queries the platform where the last check is older. @param of the workflow's id, and what its draft uses */
export async function askForFacts(
  ctx: Context,
  { id, uses }: { id: string; uses: readonly ConnectionUse[] },
  maxAgeMs: number,
): Promise<PlatformFacts> {
  const facts = await checkPlatform(toMessagingContext(ctx), uses, maxAgeMs);
  return forDraft(ctx, { id, uses, facts });
}

/** Only what its draft uses, with the other workflows that messages to its connections start. */
async function forDraft(
  ctx: Context,
  { id, uses, facts }: { id: string; uses: readonly ConnectionUse[]; facts: PlatformFacts },
): Promise<PlatformFacts> {
  const connectionIds = uses.map(({ connectionId }) => connectionId);
  const starts = await listMessageStarts(ctx, { connectionIds, except: id });
  const narrowed = uses.map(({ connectionId, templateNames }) => {
    const known = facts[connectionId] ?? null;
    const accounts = (known?.accounts ?? []).map((account) => ({
      ...account,
      templates: account.templates.filter(({ name }) => templateNames.includes(name)),
      narrowedTo: [...templateNames],
    }));
    return [connectionId, known && { ...known, accounts, starts: starts.get(connectionId) ?? [] }] as const;
  });
  return Object.fromEntries(narrowed);
}
