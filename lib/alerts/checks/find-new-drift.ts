import type { JsonValue } from '#lib/core/json/value.ts';
import type { ValueKind } from '#lib/editor/drift-types.ts';
import { type FieldSurvey, surveyPayloads } from '#lib/editor/find-payload-drift.ts';
import type { PayloadUse } from '#lib/tasks/list-payload-uses.ts';

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

export interface FieldDrift {
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
