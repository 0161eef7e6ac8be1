// What a web process does while no worker runs: people are told so, by mail and webhook. Its own bundle, because it is
// hardly ever needed.
import { tellMissingWorkers } from '#lib/alerts/checks/check-workers.ts';
import { runAlertDeliveries, runAlerts } from '#lib/alerts/run-alerts.ts';
import { toAlertRuntime } from '#lib/alerts/runtime.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { sendDueMails } from '#lib/mail/send-due-mails.ts';

/**
 * Tells that no worker runs, and sends mails and alerts that are due. Several web processes may do so at the same time:
 * everything is told and claimed in transactions, as workers do it.
 */
export async function standInForWorkers(runtime: ProcessRuntime, since: Date): Promise<void> {
  if (!runtime.settings.ENCRYPTION_KEYS) return;
  const alerts = toAlertRuntime(runtime);
  await tellMissingWorkers(alerts, since);
  await runAlerts(alerts);
  await Promise.all([sendDueMails(runtime), runAlertDeliveries(alerts)]);
}
