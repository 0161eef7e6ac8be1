import type { RunWrite } from './write.ts';

/**
 * Merges the writes of a batch by run: a statement may touch a row once, so those of one run and epoch become one. Of two
 * epochs of a run the older has lost it; of two states of a task run the later is written.
 */
export function mergeWrites(batch: readonly RunWrite[]): Map<string, RunWrite> {
  const merged = new Map<string, RunWrite>();
  for (const write of batch) {
    const { run, taskRuns, change } = write;
    const known = merged.get(run.id);
    if (!known || known.run.epoch < run.epoch) merged.set(run.id, write);
    else if (known.run.epoch === run.epoch) {
      merged.set(run.id, {
        run,
        taskRuns: [
          ...new Map(
            [...known.taskRuns, ...taskRuns].map((taskRun) => [
              `${taskRun.taskId}@${taskRun.iteration}`,
              taskRun,
            ]),
          ).values(),
        ],
        change: { ...known.change, ...change },
      });
    }
  }
  return merged;
}
