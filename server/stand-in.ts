// Work of a web process while no worker runs: it sends alerts about that, by mail and webhook. A separate bundle, because it
// is rarely needed.
import { recordMissingWorkers } from '#lib/alerts/checks/check-workers.ts';
import { adoptDeliveries } from '#lib/alerts/deliveries/deliver-alert.ts';
import { runAlerts } from '#lib/alerts/run-alerts.ts';
import { toAlertRuntime } from '#lib/alerts/runtime.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { JobConsumer } from '#lib/core/queue/job-consumer.ts';
import { createJobTable } from '#lib/core/queue/job-table.ts';
import { releaseDead } from '#lib/engine/queue/heartbeat.ts';
import { adoptMails } from '#lib/mail/send-mail.ts';
import { jobHandlers } from './run-housekeeping.ts';

/**
 * Reports that no worker runs, and sends mails, alerts and answers to stops that are due. Several web processes may do so concurrently:
 * everything is locked and recorded as in workers.
 */
export async function standInForWorkers(runtime: ProcessRuntime, lockId: string, since: Date): Promise<void> {
  if (!runtime.settings.ENCRYPTION_KEYS) return;
  const alerts = toAlertRuntime(runtime);
  await recordMissingWorkers(alerts, since);
  await runAlerts(alerts);
  await adoptMails(runtime.db);
  await adoptDeliveries(runtime);
  await releaseDead(runtime.vital, runtime.logger);
  const sending = jobHandlers(runtime).map(({ task, lane, handle }) => {
    const table = createJobTable(runtime.vital, { lockId, lane, tasks: [task] });
    return new JobConsumer({ table, handle, lane, logger: runtime.logger }).workOff();
  });
  for (const each of await Promise.allSettled(sending)) if (each.status === 'rejected') throw each.reason;
}
