// Protections of the engine that measurements and tests take out, to see that they are missed.
import type { TaskExecutor } from '#lib/engine/task-executor.ts';

/** Of the statement that writes runs: what refuses the write of a process that has lost the run. */
export const EPOCH_CHECK = 'and r.epoch = c.epoch and r.last_statement < $1::bigint';

/** An executor that does not record that it is about to change something outside. */
export const withoutRecord = (executor: TaskExecutor): TaskExecutor => ({
  ...executor,
  execute: (context) => executor.execute({ ...context, recordSideEffect: async () => undefined }),
});
