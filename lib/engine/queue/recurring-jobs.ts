// Recurring jobs, each of them one for all workers.

/**
 * Delay after the end of each: `connection_checks` checks connections that are due, `mail` sends mails, `alerts` records
 * alerts, `alert_deliveries` sends them, which takes as long as the slowest receiver.
 */
export const RECURRING_INTERVALS_MS = {
  housekeeping: 3_600_000,
  connection_checks: 60_000,
  mail: 5_000,
  alerts: 5_000,
  alert_deliveries: 5_000,
  alert_checks: 60_000,
  payload_checks: 900_000,
} as const;

export type RecurringTask = keyof typeof RECURRING_INTERVALS_MS;

export const RECURRING_TASKS = Object.keys(RECURRING_INTERVALS_MS) as RecurringTask[];

/** Adds the job `$1` unless it exists. */
export const ADD_RECURRING_JOB = `
select graphile_worker.add_job($1, '{}', job_key := $1, job_key_mode := 'unsafe_dedupe')`;
