// The first leg of a run: what can be executed in memory before the webhook is committed, so that one commit contains all of
// it (docs/engine.md). It is written completely or not at all: when a leg reaches something that only a worker does, a worker
// starts the run from the beginning.
import { telemetry } from '#lib/core/telemetry.ts';
import type { EngineDeps, RunChange } from './engine-deps.ts';
import type { WorkflowTask } from './graph-types.ts';
import type { CompiledGraph } from './graph.ts';
import { LONGEST_HELD_WAIT_MS } from './queue/held-waits.ts';
import { RunState, type TakenRun } from './run-state.ts';
import { RunSteps } from './run-steps.ts';
import type { TaskRun } from './run-types.ts';

/** A leg delays other webhooks: beyond one of these limits a worker executes the run. */
const MAX_STEPS = 200;
const DEFAULT_MAX_MS = 10;
/** After an abandoned leg, skip the next webhooks of the version: twice as many after each further one, up to this number. */
const MAX_LEFT_OUT = 256;

export interface FirstLeg {
  /** The run's end or wait, and the response for its caller. */
  change: RunChange;
  taskRuns: TaskRun[];
  /** Milliseconds since 1970. */
  startedAt: number;
}

export type FirstLegDeps = Pick<
  EngineDeps,
  'findExecutor' | 'clock' | 'renderAnswer' | 'onUnexpectedError'
> & {
  /** Whether a task's result only depends on its settings and variables. */
  isInstant(task: WorkflowTask): boolean;
  /** Milliseconds that a leg may take; 10 unless given. */
  maxMs?: number;
};

export type ExecuteFirstLeg = (run: TakenRun, graph: CompiledGraph) => FirstLeg | undefined;

/** Creates the function that executes first legs; it returns undefined where the run is left to the workers. */
export function createFirstLegs(deps: FirstLegDeps): ExecuteFirstLeg {
  /** Versions whose last legs were abandoned. */
  const leftOut = new WeakMap<CompiledGraph, { still: number; next: number }>();
  return (run, graph) => {
    const record = leftOut.get(graph);
    if (record && record.still > 0) {
      record.still -= 1;
      return undefined;
    }
    const leg = followed(run, () => executeFirstLeg(new RunState(run, graph, []), deps));
    if (leg) {
      if (record) leftOut.delete(graph);
      return leg;
    }
    const next = record?.next ?? 1;
    leftOut.set(graph, { still: next, next: Math.min(2 * next, MAX_LEFT_OUT) });
    return undefined;
  };
}

function followed(run: TakenRun, execute: () => FirstLeg | undefined): FirstLeg | undefined {
  if (!telemetry.advance.isHeard) return execute();
  const advance = { run, isFirstLeg: true };
  return telemetry.advance.within(advance, () => {
    const leg = execute();
    telemetry.advanced.tell({ advance, outcome: leg?.change.status ?? 'left', leg });
    return leg;
  });
}

function executeFirstLeg(state: RunState, deps: FirstLegDeps): FirstLeg | undefined {
  const run = new RunSteps(state, {
    ...deps,
    random: Math.random,
    isFirstLeg: true,
    checkpoint: cannotWrite,
    loadSignals: cannotWrite,
  });
  const { maxMs = DEFAULT_MAX_MS } = deps;
  const startedAt = run.now();
  let steps = 0;
  for (;;) {
    const plan = run.plan();
    if (plan.status === 'waiting' && plan.resumeAt - run.now() <= LONGEST_HELD_WAIT_MS) return undefined;
    // A wait for a signal has to be recorded with the run: a worker executes it.
    if (state.listWaits()) return undefined;
    if (plan.status !== 'active') {
      const change: RunChange = run.pause(plan);
      const answer = run.takeAnswer();
      if (answer) change.answer = answer;
      return { change, taskRuns: [...state.dirty], startedAt };
    }
    for (const step of plan.steps) {
      const { task } = step.node;
      if (step.kind === 'execute' && task.id !== state.graph.triggerId && !deps.isInstant(task))
        return undefined;
      run.apply(step);
      steps += 1;
      if (steps > MAX_STEPS || run.now() - startedAt > maxMs) return undefined;
    }
    if (run.tasks.underWay.size > 0) return undefined;
  }
}

const cannotWrite = (): Promise<never> => Promise.reject(new Error('A first leg changes nothing outside.'));
