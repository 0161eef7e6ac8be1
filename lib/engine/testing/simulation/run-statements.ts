// The statements that start, take, read and write runs.
import { addAdvanceJob } from './job-statements.ts';
import { enterLine, hasGate, hasTurn, leaveLines } from './line-statements.ts';
import type { Moment, Row, Statement } from './moment.ts';
import { isAlive } from './process-statements.ts';
import { isDue, replaceWaits, returnCalls, type WaitColumns } from './signal-statements.ts';
import { type RunRow, taskRunKey, type TaskRunRow } from './tables.ts';

type Texts = (string | null)[];
type Numbers = (number | null)[];
type Start = [
  blob: Buffer,
  eventIds: string[],
  runIds: string[],
  tokenHashes: Buffer[],
  kinds: string[],
  connectionIds: Texts,
  receivedAts: number[],
  ...places: [headersAt: number[], headersBytes: number[], bodyAt: number[], bodyBytes: number[]],
  refusals: Texts,
  ...response: [versions: Numbers, problems: Texts],
];
const START_COLUMNS = 14;
const LEG_COLUMNS = 6;
type Legs = [
  statuses: Texts,
  answers: Texts,
  errors: Texts,
  ...instants: [startedAts: Numbers, finishedAts: Numbers, resumeAts: Numbers],
];

export const startRuns: Statement<Start> = (moment, values) => {
  const { rows, runs } = insertRuns(moment, values, false);
  if (runs.length > 0)
    addAdvanceJob(
      moment,
      runs.map(({ id }) => id),
    );
  return rows.map(toAnswer);
};

export const startRunsWithLegs: Statement<[...Start, ...Legs, ...TaskRunColumns]> = (moment, values) =>
  startWithLegs(
    moment,
    values.slice(0, START_COLUMNS + LEG_COLUMNS) as unknown as [...Start, ...Legs],
    undefined,
    values.slice(START_COLUMNS + LEG_COLUMNS) as TaskRunColumns,
  );

export const startRunsInLines: Statement<[...Start, ...Legs, lines: Texts, ...TaskRunColumns]> = (
  moment,
  values,
) =>
  startWithLegs(
    moment,
    values.slice(0, START_COLUMNS + LEG_COLUMNS) as unknown as [...Start, ...Legs],
    values[START_COLUMNS + LEG_COLUMNS] as Texts,
    values.slice(START_COLUMNS + LEG_COLUMNS + 1) as TaskRunColumns,
  );

function startWithLegs(
  moment: Moment,
  values: [...Start, ...Legs],
  lines: Texts | undefined,
  taskRuns: TaskRunColumns,
): Row[] {
  const [statuses, answers, errors, , finishedAts, resumeAts] = values.slice(START_COLUMNS) as Legs;
  const { rows, runs } = insertRuns(moment, values.slice(0, START_COLUMNS) as Start, lines !== undefined);
  const queued: string[] = [];
  const behind = new Set<string>();
  runs.forEach((run) => {
    const index = rows.findIndex(({ run_id }) => run_id === run.id);
    run.line = lines?.[index] ?? (rows[index]?.is_gated === true ? run.workflow_id : null);
    const has_turn = enterLine(moment, run, (finishedAts[index] ?? null) !== null);
    if (lines) Object.assign(rows[index] ?? {}, { has_turn });
    if (!has_turn) {
      behind.add(run.id);
      return;
    }
    const status = statuses[index] ?? null;
    if (status === null) {
      queued.push(run.id);
      return;
    }
    Object.assign(run, {
      status,
      epoch: 1,
      answer: parse(answers[index]),
      error: parse(errors[index]),
      finished_at: finishedAts[index] ?? null,
      resume_at: resumeAts[index] ?? null,
    });
    moment.tables.noteTime(run.id, 'begunAt');
    if (run.finished_at !== null) moment.tables.noteTime(run.id, 'endedAt');
    if (run.resume_at !== null) addAdvanceJob(moment, [run.id], run.resume_at);
  });
  if (queued.length > 0) addAdvanceJob(moment, queued);
  taskRuns[0].forEach((runId, index) => {
    if (!behind.has(runId) && runs.some(({ id }) => id === runId))
      writeTaskRun(moment, runId, toTaskRunRow(taskRuns, index));
  });
  return rows.map(toAnswer);
}

const toAnswer = ({ run_id: _, is_gated: __, ...answer }: Row): Row => answer;

/** Events and queued runs of all arrivals, without those of workflows with a gate where the statement knows no lines. */
function insertRuns({ tables }: Moment, values: Start, knowsLines: boolean): { rows: Row[]; runs: RunRow[] } {
  const [blob, eventIds, runIds, tokenHashes, , , , headersAt, headersBytes, bodyAt, bodyBytes] = values;
  const cut = (at = 0, length = 0): string => blob.subarray(at - 1, at - 1 + length).toString('utf8');
  const rows: Row[] = [];
  const runs: RunRow[] = [];
  eventIds.forEach((eventId, index) => {
    const workflow = tables.workflows.get(tokenHashes[index]?.toString('hex') ?? '');
    const runId = runIds[index];
    if (!workflow || runId === undefined) throw new Error('Every webhook of a simulation starts a run.');
    const { trigger_task_id } = workflow;
    const is_gated = hasGate(tables, workflow);
    const answer = { place: index + 1, trigger_task_id, is_published: true };
    if (is_gated && !knowsLines) {
      rows.push({ ...answer, outcome: 'gated' });
      return;
    }
    tables.events.set(eventId, {
      headers: JSON.parse(cut(headersAt[index], headersBytes[index])),
      body: cut(bodyAt[index], bodyBytes[index]),
    });
    const run = {
      id: runId,
      workspace_id: workflow.workspace_id,
      workflow_id: workflow.id,
      version: workflow.published_version,
      event_id: eventId,
      status: 'queued',
      epoch: 0,
      worker_id: null,
      last_statement: 0,
      line: null,
      awaited: workflow.answers_after_run,
      answer: null,
      error: null,
      resume_at: null,
      finished_at: null,
    };
    tables.runs.set(runId, run);
    runs.push(run);
    rows.push({ ...answer, outcome: 'triggered', run_id: runId, is_gated });
  });
  return { rows, runs };
}

type Take = Statement<[runIds: string[], workerId: string, known: string[], number: number]>;

export const takeRuns: Take = (moment, values) => take(moment, values, () => false);

/** Runs whose wait has received a signal are due, too. */
export const takeSignaledRuns: Take = (moment, values) =>
  take(moment, values, ({ id, status }) => {
    const waits = [...moment.tables.waits.values()].filter(({ run_id }) => run_id === id);
    return status === 'waiting' && waits.some((wait) => isDue(moment, wait));
  });

function take(
  moment: Moment,
  [runIds, workerId, known, number]: Parameters<Take>[1],
  isSignaled: (run: RunRow) => boolean,
): Row[] {
  const { tables, nowMs, sabotage } = moment;
  const isHeldByAnother = ({ worker_id }: RunRow): boolean => {
    const holder = tables.processes.get(worker_id ?? '');
    return holder !== undefined && holder.id !== workerId && isAlive(moment, holder.heartbeat_at);
  };
  const rows: Row[] = [];
  for (const id of new Set(runIds)) {
    const run = tables.runs.get(id);
    const event = run && tables.events.get(run.event_id);
    if (!run || !event) continue;
    if (run.worker_id === workerId && run.last_statement >= number && sabotage !== 'late_takes') continue;
    const isDue =
      (run.status === 'queued' && hasTurn(moment, run)) ||
      (run.status === 'waiting' && run.resume_at !== null && run.resume_at <= nowMs + 20) ||
      (run.status === 'running' && !isHeldByAnother(run)) ||
      isSignaled(run);
    if (!isDue) continue;
    const isOnlyRead = isUntaken(run);
    if (!isOnlyRead) {
      Object.assign(run, { status: 'running', epoch: run.epoch + 1, worker_id: workerId, resume_at: null });
      run.last_statement = number;
      tables.noteTime(id, 'begunAt');
    }
    rows.push({
      id,
      epoch: isOnlyRead ? 1 : run.epoch,
      read_at: isOnlyRead ? nowMs : null,
      workspace_id: run.workspace_id,
      workflow_id: run.workflow_id,
      version: run.version,
      event_id: run.event_id,
      is_replay: false,
      awaits_answer: run.awaited && run.answer === null,
      is_in_line: run.line !== null,
      body: known.includes(id) ? null : event.body,
      headers: event.headers,
    });
  }
  return rows;
}

export const areHeldUnclaimed: Statement<[runIds: string[], workerId: string]> = (
  { tables, sabotage },
  [runIds, workerId],
) => {
  if (sabotage === 'unclaimed') return [{ held: false }];
  const held = runIds.some((id) => {
    const run = tables.runs.get(id);
    if (run?.status !== 'running' || run.worker_id === workerId) return false;
    const claim = tables.claims.get(id);
    return run.worker_id !== null && !(claim?.worker_id === run.worker_id && claim.epoch === run.epoch);
  });
  return [{ held }];
};

export const loadVersion: Statement<[workflowId: string]> = ({ tables }, [workflowId]) =>
  [...tables.workflows.values()]
    .filter(({ id }) => id === workflowId)
    .map(({ graph }) => ({ name: 'Workflow', graph }));

export const loadItems: Statement<[runId: string, taskId: number, iteration: string]> = (
  { tables },
  [runId, taskId, iteration],
) => {
  const found = tables.taskRuns.get(runId)?.get(taskRunKey(taskId, iteration));
  return found ? [{ items: found.items }] : [];
};

/** Columns of instants count milliseconds. */
const toDate = (atMs: number | null): Date | null => (atMs === null ? null : new Date(Math.round(atMs)));

export const loadTaskRuns: Statement<[runId: string, taskIds: number[], iterations: string[]]> = (
  { tables },
  [runId, taskIds, iterations],
) => {
  const found = tables.taskRuns.get(runId);
  const rows: Row[] = [];
  taskIds.forEach((taskId, index) => {
    const row = found?.get(taskRunKey(taskId, iterations[index] ?? ''));
    if (!row) return;
    const { items, started_at, finished_at, resume_at, ...rest } = row;
    rows.push({
      ...structuredClone(rest),
      has_items: items !== null,
      started_at: toDate(started_at),
      finished_at: toDate(finished_at),
      resume_at: toDate(resume_at),
    });
  });
  return rows;
};

const parse = (text: string | null | undefined): unknown =>
  text === null || text === undefined ? null : JSON.parse(text);

type TaskRunColumns = [
  runIds: string[],
  taskIds: number[],
  iterations: string[],
  statuses: string[],
  branches: Texts,
  runTexts: Texts,
  outputs: Texts,
  errors: Texts,
  attempts: number[],
  earlier: Texts,
  states: Texts,
  items: Texts,
  ...instants: [startedAt: Numbers, finishedAt: Numbers, resumeAt: Numbers],
];
const WAIT_COLUMNS = 11;
type Write = [
  number: number,
  workerId: string,
  runIds: string[],
  epochs: number[],
  statuses: Texts,
  errors: Texts,
  answers: Texts,
  resumeAts: Numbers,
  finishedAts: Numbers,
  readAts: Numbers,
  ...taskRuns: TaskRunColumns,
];

export const writeRuns: Statement<Write> = (moment, values) => write(moment, values);

export const writeRunsWithWaits: Statement<[...Write, ...WaitColumns]> = (moment, values) => {
  const waitsFrom = values.length - WAIT_COLUMNS;
  const rows = write(moment, values.slice(0, waitsFrom) as unknown as Write);
  const owned = new Set(rows.map(({ id }) => String(id)));
  replaceWaits(moment, owned, values.slice(waitsFrom) as WaitColumns);
  return rows;
};

/** The runs that end wake those that called them, and leave their lines. */
export const writeRunsInLines: Statement<[...Write, ...WaitColumns]> = (moment, values) => {
  const rows = writeRunsWithWaits(moment, values);
  const ended = rows.map(({ id }) => String(id)).filter((id) => hasEnded(moment.tables.runs.get(id)));
  returnCalls(moment, ended);
  leaveLines(moment, ended);
  return rows;
};

/** Nothing has taken it yet, and it waits for no other run. */
const isUntaken = ({ status, epoch, line }: RunRow): boolean =>
  status === 'queued' && epoch === 0 && line === null;

const hasEnded = (run: RunRow | undefined): boolean =>
  run?.status === 'succeeded' || run?.status === 'failed';

function write(moment: Moment, values: Write): Row[] {
  const { tables, sabotage } = moment;
  const [number, workerId, runIds, epochs, ...changes] = values;
  const [statuses, errors, answers, resumeAts, finishedAts, readAts, ...taskRuns] = changes;
  const owned = new Set<string>();
  runIds.forEach((id, index) => {
    const run = tables.runs.get(id);
    if (!run) return;
    const epoch = epochs[index] ?? 0;
    const isHeld = (run.worker_id === workerId && run.epoch === epoch) || sabotage === 'epochs';
    const isLate = run.last_statement >= number && sabotage !== 'late_writes';
    const takes = (readAts[index] ?? null) !== null && (isUntaken(run) || sabotage === 'untaken');
    if (!takes && (run.status !== 'running' || !isHeld || isLate)) return;
    if (takes) tables.noteTime(id, 'begunAt');
    Object.assign(run, { epoch, worker_id: workerId });
    owned.add(id);
    run.last_statement = number;
    run.status = statuses[index] ?? 'running';
    run.error = parse(errors[index]);
    run.answer = parse(answers[index]) ?? run.answer;
    run.resume_at = resumeAts[index] ?? null;
    run.finished_at = finishedAts[index] ?? null;
    if (hasEnded(run)) tables.noteTime(id, 'endedAt');
    if (run.resume_at !== null) addAdvanceJob(moment, [id], run.resume_at);
  });
  taskRuns[0].forEach((runId, index) => {
    if (owned.has(runId)) writeTaskRun(moment, runId, toTaskRunRow(taskRuns, index));
  });
  return [...owned].map((id) => ({ id }));
}

function toTaskRunRow(columns: TaskRunColumns, index: number): TaskRunRow {
  const [, taskIds, iterations, statuses, branches, runTexts, outputs, errors, attempts, ...rest] = columns;
  const [earlier, states, items, startedAt, finishedAt, resumeAt] = rest;
  return {
    task_id: taskIds[index] ?? 0,
    iteration: iterations[index] ?? '',
    status: statuses[index] ?? '',
    branch: branches[index] ?? null,
    run_text: runTexts[index] ?? null,
    output: outputs[index] ?? null,
    error: parse(errors[index]),
    attempt: attempts[index] ?? 0,
    attempts: parse(earlier[index]),
    state: states[index] ?? null,
    items: items[index] ?? null,
    started_at: startedAt[index] ?? null,
    finished_at: finishedAt[index] ?? null,
    resume_at: resumeAt[index] ?? null,
  };
}

function writeTaskRun({ tables, sabotage, onTaskRun }: Moment, runId: string, row: TaskRunRow): void {
  const rows = tables.taskRunsOf(runId);
  const key = taskRunKey(row.task_id, row.iteration);
  const before = rows.get(key);
  row.items ??= before?.items ?? null;
  if (sabotage === 'side_effects' && row.state?.includes('in_flight')) row.state = null;
  onTaskRun(runId, before, row);
  rows.set(key, row);
}
