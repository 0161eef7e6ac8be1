// Jobs that come again and again, each one for all workers.

/**
 * How long after its end each comes again: `connection_checks` looks which connections are due, `mail` which mails, `alerts` what
 * people are to be told, `alert_deliveries` sends it, which takes as long as a receiver that does not answer. */
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

/** Adds the job `$1`. Where it is there already, it stays as it is. */
export const ADD_RECURRING_JOB = `
select graphile_worker.add_job($1, '{}', job_key := $1, job_key_mode := 'unsafe_dedupe')`;
