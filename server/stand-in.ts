// Work of a web process while no worker runs: it sends alerts about that, by mail and webhook. A separate bundle, because it
// is rarely needed.
import { tellMissingWorkers } from '#lib/alerts/checks/check-workers.ts';
import { runAlertDeliveries, runAlerts } from '#lib/alerts/run-alerts.ts';
import { toAlertRuntime } from '#lib/alerts/runtime.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { sendDueMails } from '#lib/mail/send-due-mails.ts';

/**
 * Reports that no worker runs, and sends mails and alerts that are due. Several web processes may do so concurrently:
 * everything is claimed and recorded in transactions, as in workers.
 */
export async function standInForWorkers(runtime: ProcessRuntime, since: Date): Promise<void> {
  if (!runtime.settings.ENCRYPTION_KEYS) return;
  const alerts = toAlertRuntime(runtime);
  await tellMissingWorkers(alerts, since);
  await runAlerts(alerts);
  await Promise.all([sendDueMails(runtime), runAlertDeliveries(alerts)]);
}
