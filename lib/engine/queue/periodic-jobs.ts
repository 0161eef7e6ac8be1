// Jobs that come again and again, each one for all workers.
export const HOUSEKEEPING_TASK = 'housekeeping';
export const CONNECTION_CHECKS_TASK = 'connection_checks';

export const HOUSEKEEPING_INTERVAL_MS = 3_600_000;
/** How often it is looked which connections are due; each is checked far less often. */
export const CONNECTION_CHECKS_INTERVAL_MS = 60_000;

export const PERIODIC_TASKS = [HOUSEKEEPING_TASK, CONNECTION_CHECKS_TASK] as const;

/** Where a job is there already, it stays as it is. */
export const ADD_PERIODIC_JOBS = PERIODIC_TASKS.map(
  (task) =>
    `select graphile_worker.add_job('${task}', '{}', job_key := '${task}', job_key_mode := 'unsafe_dedupe')`,
).join(';');
