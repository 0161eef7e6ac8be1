import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { readBody } from '#lib/events/event-row.ts';
import type { Context } from '#lib/identity/context.ts';
import { listPayloadUses, type PayloadUse } from '#lib/tasks/variable-fields.ts';
import { lookUpPath } from '#lib/variables/values.ts';
import { createScope } from '#lib/variables/scope.ts';
import { triggerIdOf } from './check-graph.ts';
import { getWorkflow } from './load-workflow.ts';
import { newestOfWorkflow } from './newest-events.ts';
import { getVersion } from './versions.ts';
import { reachablePart } from './graph-paths.ts';

/** Differences between the events' bodies and what a workflow's tasks expect. */
export interface PayloadDrift {
  /** Number of the newest events that were examined. */
  events: number;
  findings: DriftFinding[];
}

export interface DriftFinding {
  /** The field's variable without the trigger's name. */
  label: string;
  /** Number of events in which it is missing, null or an empty text. */
  missing: number;
  /** Types of values in the events that have it, most frequent first; one when all are equal. */
  kinds: { kind: ValueKind; events: number }[];
  tasks: { id: number; name: string }[];
  /** Only the published version uses it, not the draft. */
  isFixed: boolean;
}

export type ValueKind = 'text' | 'number' | 'yes/no' | 'list' | 'object';

const MAX_EVENTS = 200;
const MAX_BODY_BYTES = 64 * 1024;
const MAX_BYTES = 2 * 1024 * 1024;

/** The newest by (workflow, id); bodies that are large, or too many together, are not read at all. */
const BODIES = `
select body from (
  select id, body, sum(octet_length(body)) over (order by id desc) as bytes
  from (
    select id, body, kind, outcome from events e ${newestOfWorkflow('e', '$1')} limit ${MAX_EVENTS}
  ) newest
  where kind <> 'test' and outcome <> 'rejected' and octet_length(body) <= ${MAX_BODY_BYTES}
) small
where bytes <= ${MAX_BYTES}
order by id desc`;

/**
 * Fields used by the draft or the published version that are missing in the newest production events, or have another type.
 * @throws AppError `not_found`
 */
export async function loadPayloadDrift(ctx: Context, { id }: { id: string }): Promise<PayloadDrift> {
  const workflow = await getWorkflow(ctx, { id });
  const { published_version: version } = workflow;
  const published = version === null ? [] : usesOf(await getVersion(ctx, { id, version }));
  const draft = usesOf(workflow);
  const onlyPublished = published.filter(({ label }) => !draft.some((use) => use.label === label));
  const uses = [...draft, ...onlyPublished];
  const bodies = uses.length === 0 ? [] : await readBodies(ctx, workflow.id);
  const findings = findPayloadDrift(uses, triggerIdOf(workflow), bodies);
  return {
    events: bodies.length,
    findings: findings.map((finding) => ({
      ...finding,
      isFixed: onlyPublished.some(({ label }) => label === finding.label),
    })),
  };
}

/** The parts of the payload that a workflow uses. A draft may have unreachable tasks, or a cycle. */
export function usesOf(graph: WorkflowGraph): PayloadUse[] {
  const part = reachablePart(graph);
  return part ? listPayloadUses(part) : [];
}

/** The bodies of a workflow's newest production events that are JSON objects and not large, newest first. */
export async function readBodies(ctx: Pick<Context, 'db'>, workflowId: string): Promise<JsonValue[]> {
  const { rows } = await ctx.db.$client.query<{ body: Buffer }>(BODIES, [workflowId]);
  return rows.flatMap(({ body }) => {
    const shown = readBody(body);
    return shown.body_format === 'json' && isJsonObject(shown.body) ? [shown.body] : [];
  });
}

/** Minimum number of events for a meaningful share. */
const MIN_EVENTS = 10;
/** A field that is missing in one event of two hundred is a problem of that event, not of the workflow. */
const MIN_SHARE = 0.02;

/** The trigger's fields that are missing in bodies or have several types, most often missing first. */
export function findPayloadDrift(
  uses: readonly PayloadUse[],
  triggerId: number,
  bodies: readonly JsonValue[],
): FieldSurvey[] {
  if (bodies.length < MIN_EVENTS) return [];
  const least = bodies.length * MIN_SHARE;
  return surveyPayloads(uses, triggerId, bodies)
    .filter(({ missing, kinds }) => (missing > 0 && missing >= least) || kinds.length > 1)
    .sort((a, b) => b.missing - a.missing);
}

export type FieldSurvey = Omit<DriftFinding, 'isFixed'>;

/** The values of the trigger's fields that tasks use, in the order of the uses. */
export function surveyPayloads(
  uses: readonly PayloadUse[],
  triggerId: number,
  bodies: readonly JsonValue[],
): FieldSurvey[] {
  const scopes = bodies.map((body) =>
    createScope({
      tasks: (id) => (id === triggerId ? { output: body } : undefined),
      body,
      now: () => new Date(0),
    }),
  );
  const least = bodies.length * MIN_SHARE;
  return uses.map(({ label, segments: [name = '', ...path], tasks }) => {
    const values = scopes.map((scope) => lookUpPath(scope.resolve(name), path, 0));
    const present = values.filter(
      (value): value is JsonValue => value !== undefined && value !== null && value !== '',
    );
    return {
      label,
      missing: values.length - present.length,
      kinds: countKinds(present).filter(({ events }) => events >= least),
      tasks,
    };
  });
}

/** A numeric text counts as a number beside numbers, and as a text beside other texts: variables treat both alike. */
function countKinds(values: readonly JsonValue[]): DriftFinding['kinds'] {
  const counts = new Map<ValueKind, number>();
  const kinds = values.map(kindOf);
  const isDigits = (value: JsonValue | undefined): boolean =>
    typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value);
  const hasWords = values.some((value) => typeof value === 'string' && !isDigits(value));
  const hasNumbers = kinds.includes('number');
  kinds.forEach((kind, index) => {
    const asNumber = kind === 'text' && hasNumbers && !hasWords && isDigits(values[index]);
    const counted = asNumber ? 'number' : kind;
    counts.set(counted, (counts.get(counted) ?? 0) + 1);
  });
  return [...counts].map(([kind, events]) => ({ kind, events })).sort((a, b) => b.events - a.events);
}

function kindOf(value: JsonValue): ValueKind {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'yes/no';
  if (Array.isArray(value)) return 'list';
  return isJsonObject(value) ? 'object' : 'number';
}
