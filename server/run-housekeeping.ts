import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { pruneAlerts } from '#lib/alerts/prune-alerts.ts';
import { runAlertChecks, runAlertDeliveries, runAlerts, runPayloadChecks } from '#lib/alerts/run-alerts.ts';
import { type AlertRuntime, toAlertRuntime } from '#lib/alerts/runtime.ts';
import { pruneLinks } from '#lib/approvals/prune-links.ts';
import type { WorkerOptions } from '#lib/engine/queue/worker.ts';
import { prunePasswordResets } from '#lib/identity/auth/request-password-reset.ts';
import { pruneMails, sendDueMails } from '#lib/mail/send-due-mails.ts';
import { checkDueConnections } from '#lib/messaging/connections/check-due-connections.ts';
import { pruneSignals } from '#lib/engine/store/prune-signals.ts';
import { refreshDueConnections } from '#lib/messaging/connections/refresh-due-connections.ts';
import { pruneMedia } from '#lib/messaging/media/prune-media.ts';
import { pruneMessaging } from '#lib/messaging/prune-messaging.ts';
import { toMessagingRuntime } from '#lib/messaging/runtime.ts';
import { pruneTrash } from '#lib/workflows/trash/prune-trash.ts';
import { pruneSecrets } from '#lib/secrets/prune-secrets.ts';

/** What a worker does again and again (lib/engine/queue/recurring-jobs.ts). */
export const recurringJobs = (runtime: ProcessRuntime): WorkerOptions['recurring'] => ({
  housekeeping: () => runHousekeeping(runtime),
  connection_checks: () => checkConnections(runtime),
  mail: () => sendDueMails(runtime),
  alerts: () => withKeys(runtime, runAlerts),
  alert_deliveries: () => withKeys(runtime, runAlertDeliveries),
  alert_checks: () => withKeys(runtime, runAlertChecks),
  payload_checks: () => withKeys(runtime, runPayloadChecks),
});

/** Removes what nobody needs any more and refreshes connections that nobody uses; a job of the queue does it hourly. */
async function runHousekeeping(runtime: ProcessRuntime): Promise<void> {
  await pruneMessaging(runtime.hot);
  await pruneSecrets(runtime.db.$client);
  await pruneSignals(runtime.hot);
  await pruneLinks(runtime.hot);
  await pruneAlerts(runtime.db);
  await pruneMails(runtime.db);
  await prunePasswordResets(runtime.db);
  await pruneTrash(runtime.db);
  if (!runtime.settings.ENCRYPTION_KEYS) return;
  const messaging = toMessagingRuntime(runtime);
  await refreshDueConnections(messaging);
  await pruneMedia(messaging);
}

/** Asks the platform about connections that were not checked for long, or that it said something about. */
async function checkConnections(runtime: ProcessRuntime): Promise<void> {
  if (runtime.settings.ENCRYPTION_KEYS) await checkDueConnections(toMessagingRuntime(runtime));
}

async function withKeys(
  runtime: ProcessRuntime,
  work: (alerts: AlertRuntime) => Promise<void>,
): Promise<void> {
  if (runtime.settings.ENCRYPTION_KEYS) await work(toAlertRuntime(runtime));
}
