import { expect, it } from 'vitest';
import { telemetry } from '#lib/core/telemetry.ts';
import { createFirstLegs, type FirstLegDeps } from './first-leg.ts';
import { compileGraph } from './graph.ts';
import type { WorkflowGraph, WorkflowTask } from './graph-types.ts';
import type { TaskResult } from './task-executor.ts';

const HOUR_MS = 3_600_000;

const trigger: WorkflowTask = { id: 1, type: 'inbound_webhook', name: 'In', settings: {} };
const task = (id: number, type: string, settings: object = {}): WorkflowTask => ({
  id,
  type,
  name: `Task ${id}`,
  settings: { ...settings },
});
const chain = (...tasks: WorkflowTask[]): WorkflowGraph => ({
  tasks: [trigger, ...tasks],
  edges: [trigger, ...tasks]
    .slice(1)
    .map(({ id }, index) => ({ from: index === 0 ? 1 : (tasks[index - 1]?.id ?? 1), to: id })),
});

/** First legs under a clock that each task execution advances. */
function open({ msPerTask = 0 } = {}) {
  let now = Date.UTC(2026, 0, 1);
  const executed: string[] = [];
  const deps: FirstLegDeps = {
    isInstant: ({ type }) => type !== 'send',
    findExecutor: (type) => ({
      execute({ settings }): TaskResult {
        executed.push(type);
        now += msPerTask;
        if (type === 'fail') throw new Error('It is set to fail.');
        if (type === 'delay')
          return { kind: 'wait', until: new Date(now + Number(settings.ms)), output: {}, runText: '' };
        if (type === 'loop')
          return { kind: 'loop', items: null, count: 1000, pauseSeconds: 0, onItemFailure: 'stop' };
        return { kind: 'done', output: { from: type }, runText: 'Done.' };
      },
    }),
    clock: { now: () => new Date(now) },
    renderAnswer: (_, failed) => ({ status: failed ? 500 : 200, contentType: 'text/plain', body: 'told' }),
    onUnexpectedError: () => undefined,
  };
  const execute = createFirstLegs(deps);
  const play = (graph: ReturnType<typeof compileGraph>, awaitsAnswer = false) => {
    const event = { id: 'event', isReplay: false, body: {}, headers: {} };
    const ids = { id: 'run', epoch: 1, workspaceId: '', workflowId: '', version: 1 };
    return execute({ ...ids, awaitsAnswer, event }, graph);
  };
  return { play, executed };
}

const statuses = (leg: ReturnType<ReturnType<typeof open>['play']>) =>
  leg?.taskRuns.map(({ taskId, status }) => `${taskId} ${status}`);

it('executes a run to its end, with the answer for its caller', () => {
  const { play } = open();
  const leg = play(compileGraph(chain(task(2, 'set'), task(3, 'set'))), true);
  expect(leg?.change).toMatchObject({ status: 'succeeded', answer: { status: 200, body: 'told' } });
  expect(statuses(leg)).toEqual(['1 succeeded', '2 succeeded', '3 succeeded']);
});

it('tells what it executed by the task runs that are going to be committed', () => {
  const told: { key: object; isFirstLeg: boolean }[] = [];
  telemetry.task.listen((message) => told.push(message));
  const leg = open().play(compileGraph(chain(task(2, 'set'))));
  expect(told.map(({ isFirstLeg }) => isFirstLeg)).toEqual([true, true]);
  expect(told.map(({ key }) => key)).toEqual(leg?.taskRuns);
});

it('ends a run that fails', () => {
  const { play } = open();
  const leg = play(compileGraph(chain(task(2, 'fail'), task(3, 'set'))), true);
  expect(leg?.change).toMatchObject({
    status: 'failed',
    error: { code: 'internal', task_id: 2 },
    failure: { taskId: 2, code: 'internal' },
    answer: { status: 500 },
  });
});

it('leaves a long wait with its instant and the answer, and a short one to the workers', () => {
  const { play } = open();
  const leg = play(compileGraph(chain(task(2, 'delay', { ms: HOUR_MS }), task(3, 'set'))), true);
  expect(leg?.change).toEqual({
    status: 'waiting',
    resumeAt: Date.UTC(2026, 0, 1) + HOUR_MS,
    answer: { status: 200, contentType: 'text/plain', body: 'told' },
  });
  expect(statuses(leg)).toEqual(['1 succeeded', '2 waiting']);
  expect(play(compileGraph(chain(task(2, 'delay', { ms: 100 }))))).toBeUndefined();
});

it('executes nothing that only a worker does, and then leaves all of the run to one', () => {
  const { play, executed } = open();
  expect(play(compileGraph(chain(task(2, 'set'), task(3, 'send'))))).toBeUndefined();
  expect(executed).toEqual(['set']);
});

it.each([
  ['steps', 0, chain(task(2, 'loop'), task(3, 'set'))],
  ['time', 4, chain(...[2, 3, 4, 5, 6].map((id) => task(id, 'set')))],
])('is bounded in %s', (_, msPerTask, graph) => {
  const looping = {
    ...graph,
    edges: graph.edges.map((edge) =>
      edge.from === 2 && edge.to === 3 && graph.tasks[1]?.type === 'loop'
        ? { ...edge, branch: 'each' }
        : edge,
    ),
  };
  const { play, executed } = open({ msPerTask });
  expect(play(compileGraph(looping))).toBeUndefined();
  expect(executed.length).toBeGreaterThan(1);
});

it('is tried less and less often where it comes to nothing, and always again where it gets through', () => {
  const { play, executed } = open();
  const graph = compileGraph(chain(task(2, 'set'), task(3, 'send')));
  for (let webhooks = 0; webhooks < 1000; webhooks += 1) play(graph);
  expect(executed.length).toBeLessThan(15);
  expect(executed.length).toBeGreaterThan(8);
  const other = compileGraph(chain(task(2, 'set')));
  for (let webhooks = 0; webhooks < 10; webhooks += 1) expect(play(other)).toBeDefined();
});
