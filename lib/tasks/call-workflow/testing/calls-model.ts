// A workflow whose runs call another one, with the real executor, under the faults of the simulation (docs/engine.md, "Proof").
import type { Database, Pool } from '#lib/core/db/client.ts';
import { DONE_BRANCH, EACH_BRANCH, type WorkflowGraph, type WorkflowTask } from '#lib/engine/graph-types.ts';
import { CALL_KEYS } from '#lib/engine/store/start-call.ts';
import { addAdvanceJob } from '#lib/engine/testing/simulation/job-statements.ts';
import { enterLine, lendPlace } from '#lib/engine/testing/simulation/line-statements.ts';
import type { Model, ModelKind, ModelStatements, Stage } from '#lib/engine/testing/simulation/model.ts';
import type { Statement } from '#lib/engine/testing/simulation/moment.ts';
import { makeSchedule, type Schedule } from '#lib/engine/testing/simulation/schedule.ts';
import type { Tables, WaitRow } from '#lib/engine/testing/simulation/tables.ts';
import { STATEMENTS } from '#lib/engine/testing/simulation/statements.ts';
import { STEP } from '#lib/engine/testing/simulation/tasks.ts';
import { makeWorkflow } from '#lib/engine/testing/simulation/workflows.ts';
import { Random } from '#lib/testing/random.ts';
import { callWorkflowKind } from '../kind.ts';
import { createCallWorkflowExecutor } from '../execute.ts';

/** Protections that a test removes. */
export type CallSabotage =
  /** The end of a called run does not wake its caller. */
  | 'returns'
  /** The called run's id is not that of its caller's wait. */
  | 'ids'
  /** A caller keeps its place at the gate of its workspace while the called run waits for its turn. */
  | 'lending';

/** A crowd of callers takes longer than the simulation waits. */
const MOST_ARRIVALS = 12;
const CALLED = 0;
const CALLER = 1;

/** Most webhooks call; the called workflow has its own webhooks, too. */
function makeCallSchedule(seed: number): Schedule {
  const schedule = makeSchedule(seed);
  const random = new Random(seed * 23 + 9);
  const arrivals = schedule.arrivals.slice(0, MOST_ARRIVALS).map(({ atMs }) => ({
    atMs,
    workflow: random.chance(0.8) ? CALLER : CALLED,
  }));
  const gates = schedule.gates.map((gate) => ({ ...gate, workflow: random.below(2) }));
  return { ...schedule, workflows: 2, arrivals, gates };
}

function makeCaller(random: Random, called: string): WorkflowGraph {
  const call = (id: number): WorkflowTask => ({
    id,
    type: callWorkflowKind.type,
    name: `Call ${id}`,
    settings: { called_workflow: called, wait_for_end: random.chance(0.8) ? 'until_it_ends' : 'no' },
    on_failure: 'continue',
  });
  const trigger = { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} };
  const loop = { count: 1 + random.below(3), atOnce: 1 + random.below(3), pauseSeconds: 0 };
  const settings = { loop: { ...loop, onItemFailure: 'continue' } };
  return {
    tasks: [trigger, call(2), { id: 3, type: STEP, name: 'Loop', settings }, call(4), call(5)],
    edges: [
      { from: 1, to: 2 },
      { from: 1, to: 3 },
      { from: 3, to: 4, branch: EACH_BRANCH },
      { from: 3, to: 5, branch: DONE_BRANCH },
    ],
  };
}

export const callsModel = (): ModelKind => ({
  ...callStatements(),
  makeSchedule: makeCallSchedule,
  create: (stage) => new Calls(stage),
});

class Calls implements Model {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  makeWorkflow(random: Random, number: number): WorkflowGraph {
    const [called] = this.#stage.tables.workflows.values();
    return number === CALLED || !called ? makeWorkflow(random) : makeCaller(random, called.id);
  }

  createExecutors(pool: Pool): ReturnType<Model['createExecutors']> {
    const executor = createCallWorkflowExecutor(async () => ({ db: { $client: pool } as Database }));
    return (type) => (type === callWorkflowKind.type ? executor : undefined);
  }

  onTaskRun(): void {}

  start(): void {}

  isOver(): boolean {
    return true;
  }

  /** Each task run that called has one called run, and its outcome. */
  findViolations(): string[] {
    const { calls, runs, taskRuns } = this.#stage.tables;
    const violations: string[] = [];
    const byPlace = new Map<string, string[]>();
    for (const [id, { caller_run_id, task_id, iteration }] of calls) {
      const place = `${caller_run_id}/${task_id}@${iteration}`;
      byPlace.set(place, [...(byPlace.get(place) ?? []), id]);
    }
    for (const [place, ids] of byPlace) {
      const [runId = '', key = ''] = place.split('/');
      const taskRun = taskRuns.get(runId)?.get(key);
      if (ids.length > 1) violations.push(`${place} called ${ids.length} runs`);
      const output = JSON.parse(taskRun?.output ?? '{}') as { run_id?: string; status?: string };
      if (output.run_id !== ids[0]) violations.push(`${place} has the output of ${output.run_id}`);
      const status = runs.get(ids[0] ?? '')?.status;
      const isDetached = output.status === 'queued';
      const isSame = (taskRun?.status === 'succeeded') === (status === 'succeeded');
      if (!isDetached && !isSame)
        violations.push(`${place} is ${taskRun?.status}, and its called run is ${status}`);
    }
    return violations;
  }
}

const waitsOf = (tables: Tables, runId: string, taskId: number, iteration: string): WaitRow[] =>
  [...tables.waits.values()]
    .filter(
      (wait) =>
        wait.run_id === runId &&
        wait.task_id === taskId &&
        wait.iteration === iteration &&
        wait.key.startsWith(CALL_KEYS),
    )
    .toSorted((a, b) => b.opened_at - a.opened_at || b.id.localeCompare(a.id));

type Place = [runId: string, taskId: number, iteration: string];

const findCall: Statement<[...Place, id: string | null, isAwaited: boolean]> = (moment, values) => {
  const [runId, taskId, iteration, id, is_awaited] = values;
  const { tables, write } = moment;
  const newest = waitsOf(tables, runId, taskId, iteration)[0]?.id;
  const found = [...tables.calls]
    .filter(
      ([, call]) => call.caller_run_id === runId && call.task_id === taskId && call.iteration === iteration,
    )
    .flatMap(([runOfCall]) => tables.runs.get(runOfCall) ?? [])
    .filter((run) => run.status !== 'failed' || run.id === newest)
    .filter((run) => id === null || run.id === id)
    .toSorted((a, b) => b.id.localeCompare(a.id))
    .slice(0, 1);
  for (const run of found) write(() => Object.assign(tables.calls.get(run.id) ?? {}, { is_awaited }));
  return found.map((run) => ({ id: run.id, status: run.status }));
};

const lend: Statement<[runId: string]> = (moment, [runId]) => {
  if (moment.sabotage !== 'lending') moment.write(() => lendPlace(moment, runId));
  return [];
};

const lockCallWait: Statement<Place> = ({ tables, sabotage, nowMs }, place) =>
  waitsOf(tables, ...place)
    .slice(0, 1)
    .map(({ id }) => ({ id: sabotage === 'ids' ? otherId(id, nowMs) : id }));

const otherId = (id: string, nowMs: number): string =>
  `${id.slice(0, -12)}${Math.round(nowMs * 1000)
    .toString(16)
    .slice(-12)
    .padStart(12, '0')}`;

type NewRun = [
  ...target: [workflowId: string, workspaceId: string, version: number],
  ...event: [eventId: string, kind: string, outcome: string, body: Buffer, runOfEvent: string],
  ...call: [runId: string, callerRunId: string, taskId: number, iteration: string],
  ...more: [depth: number, isAwaited: boolean, executed: number, line: string | null],
];

const startCalledRun: Statement<NewRun> = (moment, values) => {
  const [workflowId, workspaceId, , eventId, , , body, , id, caller_run_id, task_id, iteration] = values;
  const [, is_awaited, version, line] = values.slice(12) as [number, boolean, number, string | null];
  moment.write(() => {
    const { tables } = moment;
    tables.events.set(eventId, {
      headers: { 'content-type': 'application/json' },
      body: body.toString('utf8'),
    });
    tables.calls.set(id, { caller_run_id, task_id, iteration, is_awaited, lender_run_id: null });
    const run = {
      id,
      workspace_id: workspaceId,
      workflow_id: workflowId,
      version,
      event_id: eventId,
      status: 'queued',
      epoch: 0,
      worker_id: null,
      last_statement: 0,
      line: line ?? workflowId,
      awaited: false,
      answer: null,
      error: null,
      resume_at: null,
      finished_at: null,
    };
    tables.runs.set(id, run);
    // `now()` is the time of its statement, not of the commit.
    if (enterLine(moment, run, false)) addAdvanceJob(moment, [id], moment.nowMs);
  });
  return [{ id }];
};

const lookAtCall: Statement<[id: string]> = ({ tables }, [id]) => {
  const run = tables.runs.get(id);
  if (!run) return [];
  const { status, workflow_id, version, error } = run;
  return [
    {
      id,
      status,
      workflow_id,
      version,
      error: structuredClone(error),
      name: 'Workflow',
    },
  ];
};

const isWrite = (name: string): boolean => name.startsWith('write_runs');

/** The written runs, their waits, and those of the runs that called them. */
function rowsOfWrite(tables: Tables, [, , ids]: [unknown, unknown, string[]]): string[] {
  const callers = ids.flatMap((id) => tables.calls.get(id)?.caller_run_id ?? []);
  const waits = [...tables.waits.values()].filter(
    ({ run_id }) => ids.includes(run_id) || callers.includes(run_id),
  );
  return [...ids.map((id) => `run ${id}`), ...waits.map(({ id }) => `wait ${id}`)];
}

function callStatements(): ModelStatements {
  return {
    statements: {
      find_call: findCall,
      lock_call_wait: lockCallWait,
      read_caller: () => [{ version: 1, depth: 1, options: null }],
      start_called_run: startCalledRun,
      lend_place: lend,
      look_at_call: lookAtCall,
      find_called_workflow: ({ tables }, [id]: [string]) =>
        [...tables.workflows.values()]
          .filter((workflow) => workflow.id === id)
          .map(() => ({ name: 'Workflow', published_version: 1, is_deleted: false, runs: true })),
      read_called_event: ({ tables }, [id]: [string]) => {
        const event = tables.events.get(tables.runs.get(id)?.event_id ?? '');
        return event ? [{ id: tables.runs.get(id)?.event_id, body: event.body, headers: event.headers }] : [];
      },
    },
    rows: {
      find_call: (tables, [runId, taskId, iteration]: Place) =>
        [...tables.calls].flatMap(([id, call]) =>
          call.caller_run_id === runId && call.task_id === taskId && call.iteration === iteration
            ? [`run ${id}`]
            : [],
        ),
      lock_call_wait: (tables, place: Place) =>
        waitsOf(tables, ...place)
          .slice(0, 1)
          .map(({ id }) => `wait ${id}`),
      look_at_call: (_tables, [id]: [string]) => [`run ${id}`],
      take_runs: (_tables, [ids]: [string[]]) => ids.map((id) => `run ${id}`),
      take_signaled_runs: (_tables, [ids]: [string[]]) => ids.map((id) => `run ${id}`),
      ...Object.fromEntries(
        Object.keys(STATEMENTS)
          .filter(isWrite)
          .map((name) => [name, rowsOfWrite]),
      ),
    },
    findName: () => undefined,
  };
}
