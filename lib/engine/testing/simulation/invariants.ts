// The invariants after every simulation, whatever its faults.
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { mayInterrupt, type Schedule } from './schedule.ts';
import type { SimulationResult } from './simulate.ts';
import type { Delivery, LineTimes, RunRow, TaskRunRow } from './tables.ts';
import { ASK, effectKey, type Script, SEND } from './tasks.ts';
import { type Outcome, playUndisturbed } from './undisturbed.ts';

const ENDED = new Set(['succeeded', 'failed', 'outcome_unknown', 'skipped', 'cancelled']);

/** Records a task run that changes after it has ended: it would be completed twice. */
export function watchTaskRuns(
  violations: string[],
): (runId: string, before: TaskRunRow | undefined, after: TaskRunRow) => void {
  return (runId, before, after) => {
    if (!before || !ENDED.has(before.status) || before.status === after.status) return;
    const { task_id, iteration } = after;
    violations.push(
      `task ${task_id}@${iteration} of run ${runId} was ${before.status} and became ${after.status}`,
    );
  };
}

/**
 * Each broken invariant in a sentence.
 * @param isAlone nothing but faults changes how a run ends
 */
export async function findViolations(
  result: SimulationResult,
  schedule: Schedule,
  isAlone: boolean,
): Promise<string[]> {
  const violations: string[] = [];
  const { runs, events } = result.tables;
  for (const runId of result.acknowledged) {
    const run = runs.get(runId);
    if (!run || !events.has(run.event_id)) violations.push(`the acknowledged run ${runId} is lost`);
  }
  const undisturbed = new Map<string, Promise<Outcome>>();
  for (const run of runs.values()) {
    const graph = result.graphs.get(run.workflow_id);
    if (!graph) continue;
    let expected = undisturbed.get(run.workflow_id);
    if (!expected && isAlone) undisturbed.set(run.workflow_id, (expected = playUndisturbed(graph)));
    violations.push(...checkRun(run, graph, await expected, result));
    if (!mayInterrupt(schedule)) violations.push(...checkFlags(run, graph, result));
  }
  violations.push(
    ...checkSignals(result),
    ...checkLines(result),
    ...checkGates(result),
    ...checkWorkspaceGates(result),
  );
  return violations;
}

function checkRun(
  run: RunRow,
  graph: WorkflowGraph,
  expected: Outcome | undefined,
  result: SimulationResult,
): string[] {
  if (run.status !== 'succeeded' && run.status !== 'failed') return [`run ${run.id} is stuck: ${run.status}`];
  const violations = checkEffects(run, graph, result);
  if (run.awaited && run.answer === null) violations.push(`the caller of run ${run.id} got no answer`);
  const taskRuns = [...(result.tables.taskRuns.get(run.id) ?? [])];
  for (const [key, { status }] of taskRuns)
    if (!ENDED.has(status)) violations.push(`task ${key} of run ${run.id} is ${status}, and its run ended`);
  if (!expected || taskRuns.some(([, { status }]) => status === 'outcome_unknown')) return violations;
  if (run.status !== expected.status)
    violations.push(
      `run ${run.id} ${run.status}, undisturbed it ${expected.status}: ${JSON.stringify(run.error)}`,
    );
  // Which tasks a failure cancels in its run or its loop's item depends on its time.
  const hasFailedItem = [...expected.taskRuns].some(
    ([key, status]) => status === 'failed' && !key.endsWith('@'),
  );
  if (run.status !== 'succeeded' || expected.status !== 'succeeded' || hasFailedItem) return violations;
  const statuses = new Map(taskRuns.map(([key, { status }]) => [key, status]));
  for (const key of new Set([...statuses.keys(), ...expected.taskRuns.keys()])) {
    if (statuses.get(key) !== expected.taskRuns.get(key))
      violations.push(
        `task ${key} of run ${run.id} is ${statuses.get(key)}, undisturbed it is ${expected.taskRuns.get(key)}`,
      );
  }
  return violations;
}

/** Each signal is used where it was delivered, once, and by one task run where no rule gives it to several. */
function checkSignals({ tables, graphs }: SimulationResult): string[] {
  const violations: string[] = [];
  const receivers = new Map<string, Delivery[]>();
  const expected = new Map<string, string[]>();
  for (const delivery of tables.deliveries) {
    const { signal, run_id, task_id, iteration } = delivery;
    receivers.set(signal, [...(receivers.get(signal) ?? []), delivery]);
    const place = effectKey(run_id, task_id, iteration);
    expected.set(place, [...(expected.get(place) ?? []), signal]);
  }
  for (const [signal, deliveries] of receivers) {
    if (deliveries.filter(({ rule }) => rule !== 'all').length > 1)
      violations.push(`${signal} reached ${deliveries.length} waits`);
  }
  for (const run of tables.runs.values()) {
    const asks = graphs.get(run.workflow_id)?.tasks.filter(({ type }) => type === ASK) ?? [];
    for (const { task_id, iteration, status, output } of tables.taskRuns.get(run.id)?.values() ?? []) {
      if (status !== 'succeeded' || !asks.some(({ id }) => id === task_id)) continue;
      const place = effectKey(run.id, task_id, iteration);
      const used = JSON.stringify((JSON.parse(output ?? '{}') as { signals: string[] }).signals);
      const delivered = JSON.stringify(expected.get(place) ?? []);
      if (used !== delivered) violations.push(`${place} used ${used}, ${delivered} were delivered to it`);
    }
  }
  for (const wait of tables.waits.values())
    violations.push(`the wait of ${effectKey(wait.run_id, wait.task_id, wait.iteration)} is left`);
  return violations;
}

/** Runs of a line begin in the order in which they were stored, each after the previous one has ended, and leave it. */
function checkLines({ tables }: SimulationResult): string[] {
  const violations = [...tables.lines.keys()].map((runId) => `run ${runId} is left in its line`);
  const latest = new Map<string, string>();
  const inOrder = [...tables.lineTimes]
    .filter(([, { line, workflowId }]) => line !== workflowId)
    .toSorted(([, a], [, b]) => a.storedAt - b.storedAt);
  for (const [runId, { line, begunAt = Infinity }] of inOrder) {
    const before = latest.get(line);
    const { endedAt = Infinity } = tables.lineTimes.get(before ?? '') ?? { endedAt: 0 };
    if (begunAt < endedAt)
      violations.push(`run ${runId} began before run ${before}, the one before it, ended`);
    latest.set(line, runId);
  }
  return violations;
}

const isExecuted = ({ begunAt = Infinity, endedAt = Infinity }: LineTimes, moment: number): boolean =>
  begunAt <= moment && moment < endedAt;

/** Of a workflow with a gate no more runs are executed at once than may be, and none that arrives while it holds its runs. */
function checkGates({ tables }: SimulationResult): string[] {
  const violations = [...tables.gates.keys()].map((runId) => `run ${runId} is left at its gate`);
  for (const { id, max_concurrent_runs } of tables.workflows.values()) {
    const most = max_concurrent_runs ?? Infinity;
    const runs = [...tables.lineTimes].filter(([, { workflowId, isGated }]) => workflowId === id && isGated);
    for (const [runId, { storedAt, begunAt }] of runs) {
      if (begunAt === undefined) continue;
      const atOnce = runs.filter(([, times]) => isExecuted(times, begunAt)).length;
      if (atOnce > most) violations.push(`run ${runId} began as ${atOnce} were executed, and not ${most}`);
      const hold = tables.holds.find(
        ({ workflowId, from, to }) => workflowId === id && from < storedAt && storedAt < to,
      );
      if (hold && begunAt < hold.to) violations.push(`run ${runId} began while its workflow held its runs`);
    }
  }
  return violations;
}

/** Of a workspace with a limit no more runs are executed at once than the widest limit that was set, without those that were called and those that lent their places. */
function checkWorkspaceGates({ tables }: SimulationResult): string[] {
  const violations = [...tables.workspaceGates.keys()].map(
    (runId) => `run ${runId} is left at the gate of its workspace`,
  );
  for (const [runId, { workspaceId, begunAt, lentAtMost = 0 }] of tables.lineTimes) {
    if (workspaceId === undefined || begunAt === undefined) continue;
    const limits = tables.limitsSet.filter(
      (limit) => limit.workspaceId === workspaceId && limit.from < begunAt,
    );
    const most = Math.max(...limits.map((limit) => limit.most)) + lentAtMost;
    const atOnce = [...tables.lineTimes.values()].filter(
      (times) => times.workspaceId === workspaceId && isExecuted(times, begunAt),
    ).length;
    if (atOnce > most)
      violations.push(`run ${runId} began as ${atOnce} of its workspace were executed, and not ${most}`);
  }
  return violations;
}

/** Whether a task has an effect that must not happen twice. */
const isSent = ({ type, settings }: WorkflowTask): boolean =>
  type === SEND || (type === ASK && (settings as Script).effectMs !== undefined);

/** An effect that must not happen twice happened at most once, and its task run has this outcome or an unknown one. */
function checkEffects(run: RunRow, graph: WorkflowGraph, { tables, platform }: SimulationResult): string[] {
  const violations: string[] = [];
  const sends = new Set(graph.tasks.filter(isSent).map(({ id }) => id));
  // One that waits for its answer is cancelled when another task fails.
  const asks = new Set(graph.tasks.filter(({ type }) => type === ASK).map(({ id }) => id));
  const found = new Set<string>();
  for (const { task_id, iteration, status } of tables.taskRuns.get(run.id)?.values() ?? []) {
    if (!sends.has(task_id)) continue;
    const key = effectKey(run.id, task_id, iteration);
    found.add(key);
    const happened = platform.accepted.get(key) ?? 0;
    if (happened > 1) violations.push(`${key} was sent ${happened} times`);
    if (status === 'succeeded' && happened === 0) violations.push(`${key} succeeded and was never sent`);
    const isKnown = status === 'succeeded' || status === 'outcome_unknown';
    if (happened > 0 && !isKnown && !(status === 'cancelled' && asks.has(task_id)))
      violations.push(`${key} was sent and is ${status}`);
  }
  for (const key of platform.accepted.keys()) {
    const [runId, place] = key.split('/');
    if (runId === run.id && !found.has(key) && sends.has(Number.parseInt(place ?? '', 10)))
      violations.push(`${key} was sent and has no record`);
  }
  return violations;
}

/** No outcome is unknown unless the response was lost: the process was never interrupted. */
function checkFlags(run: RunRow, graph: WorkflowGraph, { tables }: SimulationResult): string[] {
  const losing = new Set(
    graph.tasks.filter(({ settings }) => (settings as Script).losesAnswer).map(({ id }) => id),
  );
  return [...(tables.taskRuns.get(run.id)?.values() ?? [])]
    .filter(({ task_id, status }) => status === 'outcome_unknown' && !losing.has(task_id))
    .map(({ task_id, iteration }) => `${effectKey(run.id, task_id, iteration)} was flagged without a reason`);
}
