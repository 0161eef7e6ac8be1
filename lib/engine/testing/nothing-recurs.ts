import type { WorkerOptions } from '#lib/engine/queue/worker.ts';

const nothing = async () => undefined;

/** For workers of tests that only advance runs. */
export const NOTHING_RECURS: WorkerOptions['recurring'] = {
  housekeeping: nothing,
  partitions: nothing,
  run_lines: nothing,
  retention: nothing,
  connection_checks: nothing,
  message_counts: nothing,
  erasures: nothing,
  full_text: nothing,
  schedules: nothing,
  lists: nothing,
  mail: nothing,
  alerts: nothing,
  alert_deliveries: nothing,
  alert_checks: nothing,
  payload_checks: nothing,
};
