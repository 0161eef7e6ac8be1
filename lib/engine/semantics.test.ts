import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGraph } from '#lib/engine/graph.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { type AdvanceOutcome, advanceRun } from '#lib/engine/run.ts';
import { RunState, type TakenRun } from '#lib/engine/run-state.ts';
import type { TaskRun } from '#lib/engine/run-types.ts';
import type { RunAnswer, RunChange } from './engine-deps.ts';
import type { TaskResult } from '#lib/engine/task-executor.ts';
import { type Scenario, SCENARIOS, findScriptedExecutor } from '#lib/engine/testing/scenarios.ts';

const run = (awaitsAnswer: boolean): TakenRun => ({
  id: 'run',
  epoch: 1,
  workspaceId: 'workspace',
  workflowId: 'workflow',
  version: 1,
  awaitsAnswer,
  event: { id: 'event', isReplay: false, body: {}, headers: {} },
});

/** Runs a scenario in memory; the clock jumps to the next instant at which something is due. */
async function play(scenario: Scenario, options: { reload: boolean }) {
  const graph = compileGraph(scenario.graph);
  const taken = run(scenario.answered !== undefined);
  const written: RunChange[] = [];
  let now = Date.UTC(2026, 0, 1);
  let state = new RunState(taken, graph, []);
  let outcome: AdvanceOutcome = 'waiting';
  const answers: RunAnswer[] = [];
  const taskRuns = new Map<string, TaskRun>();
  for (let wakes = 0; outcome === 'waiting' && wakes < 10_000; wakes += 1) {
    outcome = await advanceRun(state, {
      store: {
        write: async (_run, changed, change) => {
          written.push(change);
          for (const each of changed) taskRuns.set(`${each.taskId}@${each.iteration}`, structuredClone(each));
          if (change.answer) answers.push(change.answer);
          return true;
        },
        loadSignals: async () => [],
      },
      findExecutor: findScriptedExecutor,
      clock: { now: () => new Date(now) },
      random: () => 0.5,
      renderAnswer: (known, failed) => ({
        status: failed ? 500 : 200,
        contentType: 'application/json',
        body: succeededTasks(known),
      }),
      onUnexpectedError: (error) => {
        throw error;
      },
      stopping: new AbortController().signal,
    });
    now = written.at(-1)?.resumeAt ?? now;
    if (options.reload) state = new RunState(taken, graph, structuredClone([...state.all()]));
  }
  return { outcome, size: state.size, taskRuns: [...taskRuns.values()], answers };
}

describe('a caller who waits', () => {
  it('is answered when the Delay is reached, though another branch is still executing (spec: Endpoints 5)', async () => {
    const graph = compileGraph({
      tasks: [
        { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
        { id: 2, type: 'script', name: 'Wait', settings: { waitMs: 3_600_000 } },
        { id: 3, type: 'slow', name: 'Slow', settings: {} },
      ],
      edges: [
        { from: 1, to: 2 },
        { from: 1, to: 3 },
      ],
    });
    const slow = Promise.withResolvers<TaskResult>();
    const answered = Promise.withResolvers<RunAnswer>();
    const advancing = advanceRun(new RunState(run(true), graph, []), {
      store: {
        write: async (_run, _taskRuns, change) => {
          if (change.answer) answered.resolve(change.answer);
          return true;
        },
        loadSignals: async () => [],
      },
      findExecutor: (type) =>
        type === 'slow' ? { execute: () => slow.promise } : findScriptedExecutor(type),
      clock: { now: () => new Date() },
      random: () => 0.5,
      renderAnswer: (known) => ({
        status: 200,
        contentType: 'application/json',
        body: succeededTasks(known),
      }),
      onUnexpectedError: () => undefined,
      stopping: new AbortController().signal,
    });
    expect((await answered.promise).body).toBe('[1]');
    slow.resolve({ kind: 'done', output: {}, runText: '' });
    expect(await advancing).toBe('waiting');
  });
});

describe('a loop of several items at once', () => {
  it('is written as of when the write began, with the task runs of that moment', async () => {
    const graph = compileGraph({
      tasks: [
        { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
        { id: 2, type: 'script', name: 'Loop', settings: { loop: { count: 40, atOnce: 4 } } },
        { id: 3, type: 'send', name: 'Send', settings: {} },
      ],
      edges: [
        { from: 1, to: 2 },
        { from: 2, to: 3, branch: 'each' },
      ],
    });
    const untilNext = () => new Promise<void>((resolve) => setImmediate(resolve));
    const stored = new Map<string, TaskRun>();
    const unfinished: string[] = [];
    let sent = 0;
    const outcome = await advanceRun(new RunState(run(false), graph, []), {
      store: {
        async write(_run, changed) {
          // The statement is built later: until then other items continue.
          for (let turns = 0; turns < 3; turns += 1) await untilNext();
          for (const each of structuredClone(changed)) stored.set(`${each.taskId}@${each.iteration}`, each);
          const loop = stored.get('2@')?.loop;
          for (let item = 0; item < (loop?.next ?? 0); item += 1) {
            const isOpen = loop?.open.includes(item) === true;
            if (!isOpen && stored.get(`3@${item}`)?.status !== 'succeeded') unfinished.push(`3@${item}`);
          }
          return true;
        },
        loadSignals: async () => [],
      },
      findExecutor: (type) =>
        type === 'script'
          ? findScriptedExecutor(type)
          : {
              async execute(context) {
                await context.recordSideEffect();
                sent += 1;
                for (let turns = sent % 5; turns > 0; turns -= 1) await untilNext();
                return { kind: 'done', output: {}, runText: '' };
              },
            },
      clock: { now: () => new Date() },
      random: () => 0.5,
      renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
      onUnexpectedError: () => undefined,
      stopping: new AbortController().signal,
    });
    expect(outcome).toBe('succeeded');
    expect(unfinished, 'task runs of ended items').toEqual([]);
    expect(stored.size).toBe(42);
  });
});

describe('a loop until a condition', () => {
  it('makes as many passes as it takes, never more than its limit, however often it is loaded again', async () => {
    const limits = fc.record({
      count: fc.integer({ min: 1, max: 30 }),
      endsWith: fc.integer({ min: 1, max: 40 }),
      pauseSeconds: fc.constantFrom(0, 3),
      failFor: fc.array(fc.nat(30), { maxLength: 4 }),
      reload: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(limits, async ({ count, endsWith, pauseSeconds, failFor, reload }) => {
        const task = (id: number, settings: object) => ({
          id,
          type: 'script',
          name: `Task ${id}`,
          settings: { ...settings },
        });
        const graph: WorkflowGraph = {
          tasks: [
            { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
            task(2, {
              loop: { count, pauseSeconds, onItemFailure: 'continue' },
              until: { variable: 'task_2_round', is: endsWith },
            }),
            task(3, { failFor }),
            task(4, { givesItem: true }),
          ],
          edges: [
            { from: 1, to: 2 },
            { from: 2, to: 3, branch: 'each' },
            { from: 2, to: 4, branch: 'each' },
          ],
        };
        const { outcome, taskRuns } = await play(
          { name: 'property', graph, status: 'succeeded' },
          { reload },
        );
        const isMet = endsWith <= count && !failFor.includes(endsWith - 1);
        const passes = isMet ? endsWith : count;
        const failed = new Set(failFor.filter((item) => item < passes)).size;
        expect(outcome).toBe('succeeded');
        expect(taskRuns.filter(({ taskId }) => taskId === 3)).toHaveLength(passes);
        expect(taskRuns.find(({ taskId }) => taskId === 2)).toMatchObject({
          branch: isMet ? 'done' : 'limit',
          output: { count: passes, failed_count: failed, last: { given: passes - 1 } },
        });
      }),
    );
  });
});

const succeededTasks = (state: RunState): string =>
  JSON.stringify(
    [...state.all()]
      .filter((t) => t.iteration === '' && t.status === 'succeeded')
      .map((t) => t.taskId)
      .sort(),
  );

describe('engine semantics in memory (docs/engine.md)', () => {
  for (const scenario of SCENARIOS) {
    for (const reload of [false, true]) {
      it(`${scenario.name}${reload ? ', loaded again after every wait' : ''}`, async () => {
        const { outcome, size, taskRuns, answers } = await play(scenario, { reload });
        expect(outcome).toBe(scenario.status);
        expect(size, 'task runs that count towards the limit').toBe(taskRuns.length);
        const statuses = Object.fromEntries(
          taskRuns.map((t) => [
            t.iteration === '' ? String(t.taskId) : `${t.taskId}@${t.iteration}`,
            t.status,
          ]),
        );
        if (scenario.taskRuns) expect(statuses).toEqual(scenario.taskRuns);
        for (const [id, count] of Object.entries(scenario.counts ?? {})) {
          expect(taskRuns.filter((t) => t.taskId === Number(id)).length, `task ${id}`).toBe(count);
        }
        if (scenario.answered === undefined) return;
        expect(answers).toHaveLength(1);
        expect(answers[0]?.status).toBe(scenario.answered === false ? 500 : 200);
        if (scenario.answered) expect(JSON.parse(answers[0]?.body ?? '')).toEqual(scenario.answered);
      });
    }
  }
});
