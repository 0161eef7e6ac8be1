import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { workflows, workflowVersions } from '#lib/engine/schema/workflows.ts';
import { readBodies, usesOf } from '#lib/editor/load-payload-drift.ts';
import { triggerIdOf } from '#lib/workflows/check-graph.ts';
import type { AlertContent } from '../alert-types.ts';
import type { AlertRuntime } from '../runtime.ts';
import { type FieldDrift, findNewDrift } from './find-new-drift.ts';
import { listWatched } from './list-watched.ts';
import { tellFindings, type Trouble } from './tell-findings.ts';

const MAX_FIELDS = 5;

/** Reports workflows whose newest events have a different shape than their published version expects. */
export async function checkPayloads(runtime: AlertRuntime): Promise<void> {
  const found: Trouble[] = [];
  for (const workspaceId of await listWatched(runtime, 'payload_drift'))
    for (const workflow of await listPublished(runtime, workspaceId)) {
      const uses = usesOf(workflow.graph);
      const bodies = uses.length === 0 ? [] : await readBodies(runtime, workflow.id);
      const drift = findNewDrift(uses, triggerIdOf(workflow.graph), bodies);
      if (drift.length > 0)
        found.push({
          workspaceId,
          about: workflow.id,
          workflowId: workflow.id,
          trouble: drift.map(({ label }) => label).join(' '),
          content: () => describeDrift(workflow, drift),
        });
    }
  await tellFindings(runtime, 'payload_drift', found);
}

const listPublished = ({ db }: AlertRuntime, workspaceId: string) =>
  db
    .select({ id: workflows.id, name: workflows.name, graph: workflowVersions.graph })
    .from(workflows)
    .innerJoin(
      workflowVersions,
      and(
        eq(workflowVersions.workflowId, workflows.id),
        eq(workflowVersions.version, workflows.publishedVersion),
      ),
    )
    .where(
      and(
        eq(workflows.workspaceId, workspaceId),
        eq(workflows.active, true),
        isNotNull(workflows.publishedVersion),
        isNull(workflows.deletedAt),
      ),
    );

/** The alert about a changed payload. */
function describeDrift(
  { id, name }: { id: string; name: string },
  drift: readonly FieldDrift[],
): AlertContent {
  const shown = drift.slice(0, MAX_FIELDS).map(({ label, change, tasks }) => {
    const names = tasks.map((task) => `“${task.name}”`).join(', ');
    return `“${label}” ${change}. Used by ${names}.`;
  });
  const others = drift.length - shown.length;
  return {
    title: `The incoming data of “${name}” changed`,
    paragraphs: [
      `Events of the workflow “${name}” differ from what its tasks use:`,
      ...shown,
      ...(others > 0 ? [`And ${others} more ${others === 1 ? 'field' : 'fields'}.`] : []),
      'Ask the sender whether the change is intended. If so, open the editor, select the new fields in these tasks, and publish.',
    ],
    link: { label: 'Open the workflow', path: `/workflows/${id}` },
    workflowName: name,
  };
}
