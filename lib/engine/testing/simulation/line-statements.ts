// The functions of drizzle/0052_run_lines.sql, 0062_run_gates.sql and 0074_workspace_gates.sql: runs that are executed one at a time, and
// gates of workflows and workspaces.
import { addAdvanceJob } from './job-statements.ts';
import type { Moment, Statement } from './moment.ts';
import type { RunRow, Tables, WorkflowRow, WorkspaceGateRow } from './tables.ts';

/** Whether runs of a workflow enter a gate, its own or that of its workspace. */
export const hasGate = ({ limits }: Tables, workflow: WorkflowRow): boolean =>
  hasOwnGate(workflow) || limits.has(workflow.workspace_id);

const hasOwnGate = ({ max_concurrent_runs, holds_runs }: WorkflowRow): boolean =>
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

const widthOf = ({ limits }: Tables, workspaceId: string): number => limits.get(workspaceId) ?? Infinity;

const lendersOf = ({ calls }: Tables): Set<string> =>
  new Set([...calls.values()].flatMap(({ lender_run_id }) => lender_run_id ?? []));

/** The rows of a workspace's gate, without those of runs that have lent their places. */
function rowsOfWorkspace(tables: Tables, workspaceId: string): WorkspaceGateRow[] {
  const lenders = lendersOf(tables);
  return [...tables.workspaceGates.values()].filter(
    ({ run_id, workspace_id }) => workspace_id === workspaceId && !lenders.has(run_id),
  );
}

const hasRoomInWorkspace = ({ tables, sabotage }: Moment, workspaceId: string): boolean =>
  sabotage === 'workspace_gates' ||
  rowsOfWorkspace(tables, workspaceId).length < widthOf(tables, workspaceId);

function enterWorkspaceGate(moment: Moment, { id, workspace_id }: RunRow, passes: boolean): boolean {
  const { lineTimes, workspaceGates } = moment.tables;
  const is_through = hasRoomInWorkspace(moment, workspace_id);
  if (!(is_through && passes)) workspaceGates.set(id, { run_id: id, workspace_id, is_through });
  Object.assign(lineTimes.get(id) ?? {}, { workspaceId: workspace_id });
  return is_through;
}

/** @returns the runs that were not through before, in their order */
function openWorkspaceGate({ tables }: Moment, workspaceId: string): string[] {
  const opened = rowsOfWorkspace(tables, workspaceId)
    .slice(0, widthOf(tables, workspaceId))
    .filter(({ is_through }) => !is_through);
  for (const row of opened) row.is_through = true;
  return opened.map(({ run_id }) => run_id);
}

/** Whether a run enters the gate of its workspace: called ones do not. */
const isCounted = ({ limits, calls }: Tables, { id, workspace_id }: RunRow): boolean =>
  limits.has(workspace_id) && !calls.has(id);

/** Ended runs leave the gates of workspaces, and runs whose turn it is otherwise enter them. @returns those that may be executed now */
function passWorkspaceGates(moment: Moment, ended: readonly string[], passing: readonly string[]): string[] {
  const { tables, sabotage } = moment;
  const left = new Set(ended.flatMap((id) => tables.workspaceGates.get(id)?.workspace_id ?? []));
  for (const id of ended) tables.workspaceGates.delete(id);
  for (const id of [...ended, ...passing]) Object.assign(tables.calls.get(id) ?? {}, { lender_run_id: null });
  const opened =
    sabotage === 'workspace_gate_leaving' ? [] : [...left].flatMap((id) => openWorkspaceGate(moment, id));
  const passed = passing.filter((id) => {
    const run = tables.runs.get(id);
    return !run || !isCounted(tables, run) || enterWorkspaceGate(moment, run, false);
  });
  return [...opened, ...passed];
}

/** The run at the top of the callers of a run that waits for its turn lends its place at the gate of its workspace. */
export function lendPlace(moment: Moment, runId: string): void {
  const { tables } = moment;
  const { calls, runs, workspaceGates } = tables;
  const call = calls.get(runId);
  const run = runs.get(runId);
  if (!call || !run || hasTurn(moment, run)) return;
  for (let above = call; above.is_awaited;) {
    const { caller_run_id } = above;
    const gate = workspaceGates.get(caller_run_id);
    if (gate) {
      call.lender_run_id = caller_run_id;
      tables.lentAtMost = Math.max(tables.lentAtMost, lendersOf(tables).size);
      enqueue(moment, openWorkspaceGate(moment, gate.workspace_id));
      return;
    }
    const next = calls.get(caller_run_id);
    if (!next) return;
    above = next;
  }
}

const enqueue = (moment: Moment, runIds: readonly string[]): void => {
  if (runIds.length > 0) addAdvanceJob(moment, [...runIds]);
};

/** Adds a new run to its line, and to the gates of its workflow and workspace. @param passes it has ended already, if it may. @returns whether it has its turn */
export function enterLine(moment: Moment, run: RunRow, passes: boolean): boolean {
  const { tables, sabotage } = moment;
  const { id, line, workflow_id } = run;
  if (line === null) return true;
  const workflow = findWorkflow(moment, workflow_id);
  const isGated = workflow !== undefined && hasOwnGate(workflow);
  const counts = isCounted(tables, run);
  tables.lineTimes.set(id, { line, storedAt: tables.nextMoment(), workflowId: workflow_id, isGated });
  const isOfLine = line !== workflow_id;
  const isFirst = !isOfLine || [...tables.lines.values()].every((row) => row.line !== line);
  const has_turn = isFirst || sabotage === 'entering';
  const mayPass = passes && (!counts || hasRoomInWorkspace(moment, run.workspace_id));
  const isThrough =
    has_turn &&
    (!isGated || enterGate(moment, run, mayPass)) &&
    (!counts || enterWorkspaceGate(moment, run, mayPass));
  if (isOfLine && !(isThrough && mayPass)) tables.lines.set(id, { run_id: id, line, has_turn });
  return isThrough;
}

/** Whether a queued run may be executed. */
export const hasTurn = ({ tables, sabotage }: Moment, { id, line, workflow_id }: RunRow): boolean =>
  line === null ||
  sabotage === 'turns' ||
  ((line === workflow_id || tables.lines.get(id)?.has_turn === true) &&
    tables.gates.get(id)?.is_through !== false &&
    tables.workspaceGates.get(id)?.is_through !== false);

/** Removes ended runs, and enqueues those that are first in their lines then, and through their gates. */
export function leaveLines(moment: Moment, ended: readonly string[]): void {
  const { tables, sabotage } = moment;
  const left = new Set<string>();
  const gates = new Set<string>();
  for (const id of ended) {
    const row = tables.lines.get(id);
    const workflow = findWorkflow(moment, tables.runs.get(id)?.workflow_id ?? '');
    if (workflow && (tables.gates.has(id) || (row && hasOwnGate(workflow)))) gates.add(workflow.id);
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
  const passing =
    sabotage === 'gate_leaving' ? [] : [...gates].flatMap((workflowId) => openGate(moment, workflowId));
  for (const id of turned.toSorted()) {
    const run = tables.runs.get(id);
    if (run && (!gates.has(run.workflow_id) || enterGate(moment, run, false))) passing.push(id);
  }
  const next = passWorkspaceGates(moment, ended, passing);
  enqueue(moment, next);
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
  enqueue(moment, passWorkspaceGates(moment, [], openGate(moment, workflowId)));
  return [];
};

/** Limits how many runs a workspace executes at once; null: any number. */
export const limitWorkspace: Statement<[workspaceId: string, most: number | null]> = (
  { tables },
  [workspaceId, most],
) => {
  if (most === null) tables.limits.delete(workspaceId);
  else tables.limits.set(workspaceId, most);
  tables.limitsSet.push({ workspaceId, most: most ?? Infinity, from: tables.nextMoment() });
  return [];
};

export const openWorkspaceGates: Statement<[workspaceId: string]> = (moment, [workspaceId]) => {
  enqueue(moment, openWorkspaceGate(moment, workspaceId));
  return [];
};
