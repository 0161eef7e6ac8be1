// Protections of the engine that measurements and tests remove, to verify that the defect is found.
import type { TaskExecutor } from '#lib/engine/task-executor.ts';

/** In the statement that writes runs: refuses the write of a process that has lost the run. */
export const EPOCH_CHECK = 'and r.worker_id = $2 and r.epoch = c.epoch and r.last_statement < $1::bigint';

/** An executor that does not record its external effect in advance. */
export const withoutRecord = (executor: TaskExecutor): TaskExecutor => ({
  ...executor,
  execute: (context) => executor.execute({ ...context, recordSideEffect: async () => undefined }),
});
