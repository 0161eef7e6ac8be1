// Parses a task's stored settings with its type's schema.
import type * as z from 'zod';
import { TaskError, type TaskExecutor } from '#lib/engine/task-executor.ts';
import { branchesOf } from './exits.ts';
import type { TaskDefinition } from './task-definition.ts';

/**
 * The executor of a task type: it gets stored settings from the engine, and `executor` gets them parsed, with defaults.
 * Settings that the schema refuses fail the task (`invalid_settings`) without any effect; if such a task was interrupted, its
 * outcome is unknown, because it is not known whether it may be repeated.
 */
export function executorOf<Schema extends z.ZodObject>(
  definition: TaskDefinition & { settings: Schema },
  executor: TaskExecutor<z.output<Schema>>,
): TaskExecutor {
  const { name, settings: schema } = definition;
  /** A version's settings are the same object in every run. */
  const known = new WeakMap<object, z.output<Schema>>();
  const parse = (stored: Record<string, unknown>): z.output<Schema> | undefined => {
    const earlier = known.get(stored);
    if (earlier) return earlier;
    const { data } = schema.safeParse(stored);
    if (data) known.set(stored, data);
    return data;
  };
  return {
    branchAfterFailure: (stored) =>
      branchesOf(definition, stored).find((branch) => branch.isTakenAfterFailure)?.name,
    execute: (context) => {
      const settings = parse(context.settings);
      if (settings) return executor.execute({ ...context, settings });
      throw new TaskError(
        'invalid_settings',
        `The settings of this ${name} task are invalid. Publish again.`,
      );
    },
    endsLoop: (context) => {
      const settings = parse(context.settings);
      return settings !== undefined && executor.endsLoop?.({ ...context, settings }) === true;
    },
    hasSideEffect: (stored) => {
      const settings = parse(stored);
      return settings !== undefined && executor.hasSideEffect?.(settings) === true;
    },
    ifInterrupted: (stored) => {
      const settings = parse(stored);
      return settings ? (executor.ifInterrupted?.(settings) ?? 'retry') : 'flag';
    },
  };
}
