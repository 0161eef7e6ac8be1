import { changeOutside, type Resumption, type TaskContext } from '#lib/engine/task-executor.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { createScope } from '#lib/variables/scope.ts';

export const TEST_NOW = new Date('2030-01-31T12:00:00.000Z');

interface ContextOptions {
  /** The body of the trigger, which is task 1. */
  body?: JsonObject;
  outputs?: Readonly<Record<number, JsonValue>>;
  iteration?: string;
  attempt?: number;
  /** Called when the executor records that it is about to change something outside. */
  recordSideEffect?: () => Promise<void>;
  /** The exits that something is connected to. */
  exits?: readonly string[];
  /** The result of the wait that the task opened. */
  resumed?: Resumption;
}

/**
 * A context like the engine's for an executor: settings are completed as for publishing. @throws Error that lists the problems
 * of invalid settings.
 */
export function taskContext(
  definition: TaskDefinition,
  drawn: unknown,
  options: ContextOptions = {},
): TaskContext {
  const { settings, problems } = checkSettings(definition, drawn, 'publish');
  if (!settings || problems.length > 0) throw new Error(JSON.stringify(problems));
  const { body = {}, outputs = {}, iteration = '', attempt = 1, exits = [] } = options;
  const recordSideEffect = options.recordSideEffect ?? (() => Promise.resolve());
  const effects = { changeOutside, recordSideEffect, withdrawSideEffect: () => Promise.resolve() };
  const scope = createScope({
    now: () => TEST_NOW,
    tasks: (id) => (id === 1 ? { output: body } : id in outputs ? { output: outputs[id] } : undefined),
  });
  const ids = { workspaceId: 'w1', workflowId: 'f1', runId: 'r1', taskId: 7 };
  const waiting = {
    resumed: options.resumed,
    listen: () => undefined,
    hasExit: (branch: string) => exits.includes(branch),
    recordWait: () => Promise.resolve(),
  };
  return { ...ids, ...effects, ...waiting, settings, scope, iteration, attempt, now: TEST_NOW };
}
