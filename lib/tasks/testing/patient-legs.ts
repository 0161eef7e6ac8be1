import { instantTasks } from '../instant-tasks.ts';

/** The tasks of first legs that end on a busy machine, too. */
export const patientLegs = { ...instantTasks, maxMs: 60_000 };
