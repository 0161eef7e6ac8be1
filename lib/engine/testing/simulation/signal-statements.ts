// The statements of waits for signals (lib/engine/store/signal-waits.ts and deliver-signals.ts).
import { isOpenRun } from '#lib/engine/run-statuses.ts';
import type { RunStatus, WaitRule } from '#lib/engine/run-types.ts';
import { addAdvanceJob } from './job-statements.ts';
import type { Moment, Statement } from './moment.ts';
import type { WaitRow } from './tables.ts';

const EARLY_MS = 20;

/** Columns of instants count milliseconds. */
const toColumn = (atMs: number): number => Math.round(atMs);

export const isDue = ({ nowMs }: Moment, { due_at }: WaitRow): boolean =>
  due_at !== null && due_at <= nowMs + EARLY_MS;

export type WaitColumns = [
  ids: string[],
  runIds: string[],
  workspaceIds: string[],
  taskIds: number[],
  iterations: string[],
  keys: string[],
  rules: WaitRule[],
  quietMs: number[],
  ...flags: [areClosed: number[], areAwaited: number[]],
  replacedOf: string[],
];

/** @param owned the runs of the checkpoint that the writer still holds */
export function replaceWaits(moment: Moment, owned: ReadonlySet<string>, columns: WaitColumns): void {
  const { waits } = moment.tables;
  const [ids, runIds, workspaceIds, taskIds, iterations, keys, rules, quietMs, ...rest] = columns;
  const [areClosed, areAwaited, replacedOf] = rest;
  const listed = new Set(ids.filter((_, index) => owned.has(runIds[index] ?? '')));
  for (const wait of waits.values())
    if (owned.has(wait.run_id) && replacedOf.includes(wait.run_id) && !listed.has(wait.id))
      waits.delete(wait.id);
  ids.forEach((id, index) => {
    if (!listed.has(id)) return;
    const known = waits.get(id);
    if (areClosed[index] === 1) {
      if (known && moment.sabotage !== 'closing') known.is_open = false;
    } else if (!known) {
      waits.set(id, {
        id,
        workspace_id: workspaceIds[index] ?? '',
        run_id: runIds[index] ?? '',
        task_id: taskIds[index] ?? 0,
        iteration: iterations[index] ?? '',
        key: keys[index] ?? '',
        rule: rules[index] ?? 'newest',
        quiet_ms: quietMs[index] ?? 0,
        opened_at: toColumn(moment.nowMs),
        is_open: true,
        due_at: null,
        signals: [],
      });
    }
    const isForgotten = moment.sabotage === 'wakes';
    if (areAwaited[index] === 1 && known && known.due_at !== null && !isForgotten)
      addAdvanceJob(moment, [known.run_id], known.due_at, true);
  });
}

/** As `return_calls` of drizzle/0070_run_calls.sql. */
export function returnCalls(moment: Moment, ended: readonly string[]): void {
  const { calls, waits } = moment.tables;
  const callers: string[] = [];
  for (const id of ended) {
    const call = calls.get(id);
    if (!call || moment.sabotage === 'returns') continue;
    const { caller_run_id, task_id, iteration } = call;
    for (const wait of waits.values()) {
      if (wait.run_id !== caller_run_id || wait.task_id !== task_id || wait.iteration !== iteration) continue;
      if (!wait.is_open) continue;
      const signals = [...wait.signals, 'null'];
      Object.assign(wait, { is_open: false, due_at: toColumn(moment.nowMs), signals });
      callers.push(caller_run_id);
    }
  }
  if (callers.length > 0) addAdvanceJob(moment, callers, undefined, true);
}

export const loadWaits: Statement<[ids: string[]]> = (moment, [ids]) =>
  ids.flatMap((id) => {
    const wait = moment.tables.waits.get(id);
    if (!wait) return [];
    const { key, is_open } = wait;
    return [{ id, key, is_open, is_due: wait.due_at === null ? null : isDue(moment, wait) }];
  });

export const loadSignals: Statement<[id: string]> = ({ tables }, [id]) => {
  const wait = tables.waits.get(id);
  return wait ? [{ signals: [...wait.signals] }] : [];
};

export const findWaitedFor: Statement<[workspaceIds: string[], keys: string[], places: number[]]> = (
  { tables },
  [workspaceIds, keys, places],
) => {
  const open = [...tables.waits.values()].filter(({ is_open }) => is_open);
  const found = keys.flatMap((key, index) =>
    open.some((wait) => wait.key === key && wait.workspace_id === workspaceIds[index]) ? [places[index]] : [],
  );
  return [...new Set(found)].map((place) => ({ place }));
};

type Delivery = [
  workspaceId: string,
  keys: string[],
  id: string,
  payload: string,
  ...place: [runId: string | null, taskId: number | null, iteration: string | null],
  isOurs: boolean,
];

export const deliverSignal: Statement<Delivery> = (moment, values) => {
  const { tables, nowMs, sabotage } = moment;
  const [workspaceId, keys, id, payload, runId, taskId, iteration, isOurs] = values;
  const isActive = ({ run_id }: WaitRow): boolean => {
    const run = tables.runs.get(run_id);
    return run !== undefined && isOpenRun(run.status as RunStatus);
  };
  const candidates = [...tables.waits.values()]
    .filter(
      (wait) =>
        wait.workspace_id === workspaceId && keys.includes(wait.key) && wait.is_open && isActive(wait),
    )
    .filter(
      (wait) =>
        runId === null || (wait.run_id === runId && wait.task_id === taskId && wait.iteration === iteration),
    )
    .toSorted((a, b) => b.opened_at - a.opened_at || b.id.localeCompare(a.id));
  const rule = candidates[0]?.rule;
  const chosen =
    rule === 'all' ? candidates : rule === 'oldest' ? candidates.slice(-1) : candidates.slice(0, 1);
  const signal = `${workspaceId}/${id}`;
  const isUsed = chosen.length > 0 && (!tables.usedSignals.has(signal) || sabotage === 'copies');
  const reached = (isUsed || isOurs ? chosen : []).toSorted((a, b) => a.id.localeCompare(b.id));
  moment.write(() => {
    if (isUsed) tables.usedSignals.add(signal);
    for (const wait of reached) {
      const { quiet_ms, run_id, task_id } = wait;
      const due_at = toColumn(nowMs + quiet_ms);
      Object.assign(wait, { is_open: quiet_ms > 0, due_at, signals: [...wait.signals, payload] });
      tables.deliveries.push({
        signal: id,
        run_id,
        task_id,
        iteration: wait.iteration,
        rule: candidates[0]?.rule ?? 'newest',
      });
      addAdvanceJob(moment, [run_id], due_at, true);
    }
  });
  const runs = reached.map(({ run_id }) => run_id);
  const takers = [...new Set(runs)].toSorted().map((runId) => ({
    runId,
    workflowId: tables.runs.get(runId)?.workflow_id,
  }));
  return [{ candidates: candidates.length, used: Number(isUsed), reached: takers, jobs: reached.length }];
};
