// Recurring jobs, each of them one for all workers.

/**
 * Delay after the end of each: `partitions` makes those of the next months, `run_lines` lets lines continue that a process of an older version left, `connection_checks` checks connections that
 * are due, `message_counts` counts messages for reports, `erasures` erases customers, `full_text` indexes events
 * where an operator switched it on, `lists` starts the rows of lists, `schedules`
 * starts workflows whose schedules are due and sleeps until the next one, at most for its interval, `alerts` records alerts, `mail` and
 * `alert_deliveries` add the jobs of what 0.2.0 queued, to be removed in the version after 0.3.0.
 */
export const RECURRING_INTERVALS_MS = {
  housekeeping: 3_600_000,
  partitions: 3_600_000,
  run_lines: 60_000,
  retention: 60_000,
  connection_checks: 60_000,
  message_counts: 60_000,
  erasures: 5_000,
  full_text: 5_000,
  schedules: 10_000,
  lists: 2_000,
  mail: 5_000,
  alerts: 5_000,
  alert_deliveries: 5_000,
  alert_checks: 60_000,
  payload_checks: 900_000,
} as const;

export type RecurringTask = keyof typeof RECURRING_INTERVALS_MS;

export const RECURRING_TASKS = Object.keys(RECURRING_INTERVALS_MS) as RecurringTask[];
