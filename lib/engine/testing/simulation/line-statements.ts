// The functions of drizzle/0052_run_lines.sql and 0062_run_gates.sql: runs that are executed one at a time, and gates of workflows.
import { addAdvanceJob } from './job-statements.ts';
import type { Moment, Statement } from './moment.ts';
import type { RunRow, WorkflowRow } from './tables.ts';

export const hasGate = ({ max_concurrent_runs, holds_runs }: WorkflowRow): boolean =>
  max_concurrent_runs !== null || holds_runs;

const findWorkflow = ({ tables }: Moment, workflowId: string): WorkflowRow | undefined =>
  [...tables.workflows.values()].find(({ id }) => id === workflowId);

/** The first rows of a gate, as many as may be through. */
function firstOfGate(moment: Moment, workflowId: string): { rows: Moment['tables']['gates']; width: number } {
  const workflow = findWorkflow(moment, workflowId);
  const width = workflow?.holds_runs ? 0 : (workflow?.max_concurrent_runs ?? Infinity);
  const all = [...moment.tables.gates].filter(([, { workflow_id }]) => workflow_id === workflowId);
  return { rows: new Map(all.slice(0, width)), width };
}

function enterGate(moment: Moment, { id, workflow_id }: RunRow, passes: boolean): boolean {
  const { rows, width } = firstOfGate(moment, workflow_id);
  const is_through = rows.size < width || moment.sabotage === 'gates';
  if (!(is_through && passes)) moment.tables.gates.set(id, { run_id: id, workflow_id, is_through });
  return is_through;
}

/** @returns the runs that were not through before, in their order */
function openGate(moment: Moment, workflowId: string): string[] {
  const opened = [...firstOfGate(moment, workflowId).rows.values()].filter(({ is_through }) => !is_through);
  for (const row of opened) row.is_through = true;
  return opened.map(({ run_id }) => run_id);
}

/** Adds a new run to its line, and to the gate of its workflow. @param passes it has ended already, if it may. @returns whether it has its turn */
export function enterLine(moment: Moment, run: RunRow, passes: boolean): boolean {
  const { tables, sabotage } = moment;
  const { id, line, workflow_id } = run;
  if (line === null) return true;
  const workflow = findWorkflow(moment, workflow_id);
  const isGated = workflow !== undefined && hasGate(workflow);
  tables.lineTimes.set(id, { line, storedAt: tables.nextMoment(), workflowId: workflow_id, isGated });
  const isOfLine = line !== workflow_id;
  const isFirst = !isOfLine || [...tables.lines.values()].every((row) => row.line !== line);
  const has_turn = isFirst || sabotage === 'entering';
  const isThrough = has_turn && (!isGated || enterGate(moment, run, passes));
  if (isOfLine && !(isThrough && passes)) tables.lines.set(id, { run_id: id, line, has_turn });
  return isThrough;
}

/** Whether a queued run may be executed. */
export const hasTurn = ({ tables, sabotage }: Moment, { id, line, workflow_id }: RunRow): boolean =>
  line === null ||
  sabotage === 'turns' ||
  ((line === workflow_id || tables.lines.get(id)?.has_turn === true) &&
    tables.gates.get(id)?.is_through !== false);

/** Removes ended runs, and enqueues those that are first in their lines then, and through the gates of their workflows. */
export function leaveLines(moment: Moment, ended: readonly string[]): void {
  const { tables, sabotage } = moment;
  const left = new Set<string>();
  const gates = new Set<string>();
  for (const id of ended) {
    const row = tables.lines.get(id);
    const workflow = findWorkflow(moment, tables.runs.get(id)?.workflow_id ?? '');
    if (workflow && (tables.gates.has(id) || (row && hasGate(workflow)))) gates.add(workflow.id);
    if (row && tables.lines.delete(id)) left.add(row.line);
  }
  if (sabotage === 'leaving') return;
  const turned: string[] = [];
  for (const line of left) {
    const first = [...tables.lines.values()].find((row) => row.line === line);
    if (!first || first.has_turn) continue;
    first.has_turn = true;
    turned.push(first.run_id);
  }
  for (const id of ended) tables.gates.delete(id);
  const next =
    sabotage === 'gate_leaving' ? [] : [...gates].flatMap((workflowId) => openGate(moment, workflowId));
  for (const id of turned.toSorted()) {
    const run = tables.runs.get(id);
    if (run && (!gates.has(run.workflow_id) || enterGate(moment, run, false))) next.push(id);
  }
  if (next.length > 0) addAdvanceJob(moment, next);
}

/** A workflow holds its runs from now on, or no longer. */
export const holdRuns: Statement<[workflowId: string, holds: boolean]> = (moment, [workflowId, holds]) => {
  const workflow = findWorkflow(moment, workflowId);
  if (!workflow) return [];
  workflow.holds_runs = holds;
  const { tables } = moment;
  const last = tables.holds.find((hold) => hold.workflowId === workflowId && hold.to === Infinity);
  if (last) last.to = tables.nextMoment();
  if (holds) tables.holds.push({ workflowId, from: tables.nextMoment(), to: Infinity });
  return [];
};

export const openGates: Statement<[workflowId: string]> = (moment, [workflowId]) => {
  const opened = openGate(moment, workflowId);
  if (opened.length > 0) addAdvanceJob(moment, opened);
  return [];
};
