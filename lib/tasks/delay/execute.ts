import type * as z from 'zod';
import { TaskError } from '#lib/engine/task-executor.ts';
import { MAX_WAIT_MS, readDuration, readUntil } from '#lib/tasks/durations.ts';
import { evaluateSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { delay } from './definition.ts';

export const delayExecutor = executorOf(delay, {
  execute({ settings, scope, now }) {
    const until = findEnd(settings, scope, now);
    const text = until.toISOString();
    return { kind: 'wait', until, output: { until: text }, runText: `Delayed until ${text}.` };
  },
});

function findEnd(settings: z.output<typeof delay.settings>, scope: VariableScope, now: Date): Date {
  if (settings.mode === 'for') {
    const amount = evaluateSetting(settings.amount, scope);
    const wait = readDuration(amount, settings.unit, { allowsZero: true });
    if (wait.problem !== undefined) throw new TaskError('invalid_delay', wait.problem);
    return new Date(now.getTime() + wait.value);
  }
  const end = readUntil(evaluateSetting(settings.until, scope));
  if (end.problem !== undefined) throw new TaskError('invalid_delay', end.problem);
  if (end.value.getTime() > now.getTime() + MAX_WAIT_MS) {
    const message = `The date and time is ${end.value.toISOString()}: the maximum is 366 days from now.`;
    throw new TaskError('invalid_delay', message);
  }
  return end.value < now ? now : end.value;
}
