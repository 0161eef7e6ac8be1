import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { AlertContent } from '#lib/alerts/alert-types.ts';
import type { AlertRuntime } from '#lib/alerts/runtime.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import {
  type FieldSurvey,
  readBodies,
  surveyPayloads,
  usesOf,
  type ValueKind,
} from '#lib/workflows/payload-drift.ts';
import { workflows, workflowVersions } from '#lib/engine/schema/workflows.ts';
import type { PayloadUse } from '#lib/tasks/variable-fields.ts';
import { triggerIdOf } from '#lib/workflows/check-graph.ts';
import { listWatched, recordFindings, type Trouble } from './record-findings.ts';

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
  await recordFindings(runtime, 'payload_drift', found);
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

/** The newest events, compared with those before them. */
const NEWEST = 50;
/** Minimum number of events for a meaningful share. */
const MIN_EVENTS = 10;
/** Minimum share of the newest events that differ, and its minimum increase. */
const NEW_SHARE = 0.2;
/** Share of missing fields that counts where there are too few earlier events to compare with. */
const PLAIN_SHARE = 0.5;

const KIND_WORDS: Readonly<Record<ValueKind, string>> = {
  text: 'text',
  number: 'a number',
  'yes/no': 'yes or no',
  list: 'a list',
  object: 'an object',
};

interface FieldDrift {
  /** The field's variable without the trigger's name. */
  label: string;
  /** The difference, in words that follow the field's name. */
  change: string;
  tasks: readonly { id: number; name: string }[];
}

/**
 * Fields that the newest events lack, or whose values have another type, unlike before.
 * @param bodies the newest first
 */
export function findNewDrift(
  uses: readonly PayloadUse[],
  triggerId: number,
  bodies: readonly JsonValue[],
): FieldDrift[] {
  const [newest, before] = [bodies.slice(0, NEWEST), bodies.slice(NEWEST)];
  if (newest.length < MIN_EVENTS) return [];
  const earlier = before.length < MIN_EVENTS ? null : surveyPayloads(uses, triggerId, before);
  return surveyPayloads(uses, triggerId, newest).flatMap((now, index) => {
    const then = earlier?.[index];
    const change =
      findMissing(now, newest.length, then, before.length) ?? findOtherKind(now, newest.length, then);
    return change === null ? [] : [{ label: now.label, change, tasks: now.tasks }];
  });
}

function findMissing(
  { missing }: FieldSurvey,
  count: number,
  then: FieldSurvey | undefined,
  countThen: number,
): string | null {
  const share = missing / count;
  const shareThen = then ? then.missing / countThen : 0;
  if (share < (then ? shareThen + NEW_SHARE : PLAIN_SHARE)) return null;
  return `is missing in ${missing} of the last ${count} events${then && then.missing === 0 ? ', and was always there before' : ''}`;
}

function findOtherKind({ kinds }: FieldSurvey, count: number, then: FieldSurvey | undefined): string | null {
  const usual = then?.kinds[0]?.kind;
  const other = kinds.find(({ kind }) => kind !== usual);
  if (usual === undefined || !other || other.events < count * NEW_SHARE) return null;
  if (then?.kinds.some(({ kind }) => kind === other.kind)) return null;
  return `is now ${KIND_WORDS[other.kind]} in ${other.events} of the last ${count} events, and was ${KIND_WORDS[usual]} before`;
}
