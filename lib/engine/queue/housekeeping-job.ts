// The job that cleans up: one for all workers, which comes again and again.
export const HOUSEKEEPING_TASK = 'housekeeping';

export const HOUSEKEEPING_INTERVAL_MS = 3_600_000;

/** Where it is there already, it stays as it is. */
export const ADD_HOUSEKEEPING = `
select graphile_worker.add_job('${HOUSEKEEPING_TASK}', '{}', job_key := '${HOUSEKEEPING_TASK}', job_key_mode := 'unsafe_dedupe')`;
