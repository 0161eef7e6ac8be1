import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import type { PayloadUse } from '#lib/tasks/list-payload-uses.ts';
import { lookUpPath } from '#lib/variables/look-up.ts';
import { createScope } from '#lib/variables/scope.ts';
import type { DriftFinding, ValueKind } from '#lib/editor/drift-types.ts';

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

export type FieldSurvey = Omit<DriftFinding, 'isMended'>;

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
