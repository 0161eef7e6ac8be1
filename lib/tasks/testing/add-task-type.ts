import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { EXECUTOR_FACTORIES } from '#lib/tasks/executors.ts';
import { TASK_KINDS } from '#lib/tasks/kinds.ts';
import { TASK_DEFINITIONS } from '#lib/tasks/registry.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Registers a task type for the tests of one file: replaces its lines in kinds.ts, registry.ts and executors.ts. */
export function addTaskType(kind: TaskKind, definition: TaskDefinition, executor: TaskExecutor): void {
  TASK_KINDS.set(kind.type, kind);
  TASK_DEFINITIONS.set(kind.type, definition);
  EXECUTOR_FACTORIES.set(kind.type, () => executor);
}
