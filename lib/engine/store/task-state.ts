// What the engine needs of a task run to continue, as the column `state` holds it. No statement looks inside of it:
// PostgreSQL's JSON operators fail where an item of a loop holds \u0000.
import { parseJson } from '#lib/core/json/parse-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { SavedLoop, TaskRun } from '../run-types.ts';

/** A loop's items are in a column of their own; only old states hold them here. */
export interface TaskState extends Pick<TaskRun, 'waitingFor' | 'inFlight' | 'captured'> {
  loop?: SavedLoop | undefined;
}

interface SavedState {
  loop?: SavedLoop;
  waiting_for?: TaskRun['waitingFor'];
  in_flight?: true;
  captured?: JsonValue[];
}

/** Null when there is nothing to save. */
export function formatTaskState({ loop, waitingFor, inFlight, captured }: TaskState): string | null {
  if (!loop && !waitingFor && !inFlight && !captured) return null;
  return stringifyJson({
    ...(loop ? { loop: { ...loop } } : {}),
    ...(waitingFor ? { waiting_for: waitingFor } : {}),
    ...(inFlight ? { in_flight: true } : {}),
    ...(captured ? { captured } : {}),
  });
}

export function parseTaskState(text: string | null): TaskState {
  if (text === null) return {};
  const { loop, waiting_for, in_flight, captured } = parseJson(text) as unknown as SavedState;
  return { loop, waitingFor: waiting_for, inFlight: in_flight, captured };
}
