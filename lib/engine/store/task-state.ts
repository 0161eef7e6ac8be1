// State of a task run for resuming, as stored in the column `state`. Statements never look inside: PostgreSQL's JSON
// operators fail where an item of a loop contains \u0000.
import { parseJson } from '#lib/core/json/parse-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import type { SavedLoop, SignalWait, TaskRun, WaitRule } from '../run-types.ts';

/** A loop's items have their own column; only old states contain them. */
export interface TaskState extends Pick<
  TaskRun,
  'waitingFor' | 'inFlight' | 'captured' | 'wait' | 'listening' | 'memory'
> {
  loop?: SavedLoop | undefined;
}

/** Loops of one item after another are saved as before there were others: with the index of the current item. */
type SavedItems = { index: number } | Pick<SavedLoop, 'open' | 'next' | 'atOnce'>;

type StoredLoop = Omit<SavedLoop, 'open' | 'next' | 'atOnce' | 'pastTaskRuns'> &
  SavedItems & { pastTaskRuns?: number };

interface SavedState {
  loop?: StoredLoop;
  waiting_for?: TaskRun['waitingFor'];
  in_flight?: true;
  captured?: JsonValue[];
  wait?: SavedWait;
  listening?: SavedWait;
  memory?: JsonValue;
}

interface SavedWait {
  id: string;
  key: string;
  rule: WaitRule;
  quiet_ms: number;
  closed?: true;
  goes_on?: true;
}

/** Null when there is nothing to save. */
export function formatTaskState(state: TaskState): string | null {
  const { loop, waitingFor, inFlight, captured, wait, listening, memory } = state;
  if (!loop && !waitingFor && !inFlight && !captured && !wait && !listening) return null;
  return stringifyJson({
    ...(loop ? { loop: saveLoop(loop) } : {}),
    ...(waitingFor ? { waiting_for: waitingFor } : {}),
    ...(inFlight ? { in_flight: true } : {}),
    ...(captured ? { captured } : {}),
    ...(wait ? { wait: saveWait(wait) } : {}),
    ...(listening ? { listening: saveWait(listening) } : {}),
    ...(memory === undefined ? {} : { memory }),
  });
}

function saveLoop({ open, next, atOnce, ...rest }: SavedLoop): JsonObject {
  return atOnce > 1 ? { ...rest, open, next, atOnce } : { ...rest, index: open[0] ?? next };
}

function readLoop({ pastTaskRuns = 0, ...saved }: StoredLoop): SavedLoop {
  if (!('index' in saved)) return { ...saved, pastTaskRuns };
  const { index, ...rest } = saved;
  return { ...rest, pastTaskRuns, open: [index], next: index + 1, atOnce: 1 };
}

const saveWait = ({ id, key, rule, quietMs, isClosed, keepsListening }: SignalWait) => ({
  id,
  key,
  rule,
  quiet_ms: quietMs,
  ...(isClosed ? { closed: true } : {}),
  ...(keepsListening ? { goes_on: true } : {}),
});

const readWait = ({ id, key, rule, quiet_ms, closed, goes_on }: SavedWait): SignalWait => ({
  id,
  key,
  rule,
  quietMs: Number(quiet_ms),
  ...(closed ? { isClosed: true } : {}),
  ...(goes_on ? { keepsListening: true } : {}),
});

export function parseTaskState(text: string | null): TaskState {
  if (text === null) return {};
  const saved = parseJson(text) as unknown as SavedState;
  const { loop, waiting_for, in_flight, captured, wait, listening, memory } = saved;
  return {
    loop: loop && readLoop(loop),
    waitingFor: waiting_for,
    inFlight: in_flight,
    captured,
    wait: wait && readWait(wait),
    listening: listening && readWait(listening),
    memory,
  };
}
