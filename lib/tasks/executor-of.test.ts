import { expect, test } from 'vitest';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { delay } from './delay/definition.ts';
import { executorOf } from './executor-of.ts';
import { ifCondition } from './if-condition/definition.ts';
import { taskContext } from './testing/task-context.ts';

const context = taskContext(delay, { amount: 5 });

test('an executor is handed settings as its schema describes them, parsed once for each version', () => {
  const seen: unknown[] = [];
  const executor = executorOf(delay, {
    execute: ({ settings, now }) => {
      seen.push(settings);
      return { kind: 'wait', until: now, output: null, runText: settings.unit };
    },
    hasSideEffect: ({ mode }) => mode === 'for',
  });
  const stored = { amount: 5 };
  expect(executor.execute({ ...context, settings: stored })).toMatchObject({ runText: 'minutes' });
  void executor.execute({ ...context, settings: stored });
  expect(seen[0]).toEqual({ mode: 'for', amount: 5, unit: 'minutes', until: '' });
  expect(seen[1]).toBe(seen[0]);
  expect(executor.hasSideEffect?.(stored)).toBe(true);
  expect(executor.ifInterrupted?.(stored)).toBe('retry');
});

test('settings that the schema refuses fail the task before anything happens', () => {
  const never: TaskExecutor<never> = {
    execute: () => expect.unreachable(),
    hasSideEffect: () => expect.unreachable(),
    ifInterrupted: () => expect.unreachable(),
  };
  const executor = executorOf(delay, never);
  const settings = { unit: 'weeks' };
  expect(() => executor.execute({ ...context, settings })).toThrow(
    expect.objectContaining({ code: 'invalid_settings', retry: { kind: 'never' } }),
  );
  expect(executor.hasSideEffect?.(settings)).toBe(false);
  expect(executor.ifInterrupted?.(settings)).toBe('flag');
});

test('the branch that is taken after a failure comes from the definition', () => {
  const execute = () => expect.unreachable();
  expect(executorOf(ifCondition, { execute }).branchAfterFailure?.({})).toBe('false');
  expect(executorOf(delay, { execute }).branchAfterFailure?.({})).toBeUndefined();
});
