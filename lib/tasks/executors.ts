// What executes each task type; the trigger is the engine's own.
import type { FindExecutor, TaskExecutor } from '../engine/task-executor.ts';

const EXECUTORS: Readonly<Record<string, TaskExecutor>> = {};

export const findExecutor: FindExecutor = (type) => (Object.hasOwn(EXECUTORS, type) ? EXECUTORS[type] : undefined);
