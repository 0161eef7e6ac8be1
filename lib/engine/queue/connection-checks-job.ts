// The job that checks connections: one for all workers, which comes again and again.
export const CONNECTION_CHECKS_TASK = 'connection_checks';

/** How often it is looked which connections are due; each is checked far less often. */
export const CONNECTION_CHECKS_INTERVAL_MS = 60_000;

/** Where it is there already, it stays as it is. */
export const ADD_CONNECTION_CHECKS = `
select graphile_worker.add_job('${CONNECTION_CHECKS_TASK}', '{}', job_key := '${CONNECTION_CHECKS_TASK}', job_key_mode := 'unsafe_dedupe')`;
