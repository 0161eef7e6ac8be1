import { about } from '#lib/core/log-fields.ts';
import { maintainPartitions } from '#lib/core/db/partitions/maintain.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { adoptDeliveries, createDeliveryHandler } from '#lib/alerts/deliveries/deliver-alert.ts';
import { pruneAlerts, runAlertChecks, runAlerts, runPayloadChecks } from '#lib/alerts/run-alerts.ts';
import { type AlertRuntime, toAlertRuntime } from '#lib/alerts/runtime.ts';
import { pruneLinks } from '#lib/approvals/links.ts';
import type { JobHandler } from '#lib/core/queue/job-consumer.ts';
import type { WorkerOptions } from '#lib/engine/queue/worker.ts';
import { prunePasswordResets } from '#lib/identity/auth/password-reset.ts';
import { adoptMails, createMailHandler, pruneMails } from '#lib/mail/send-mail.ts';
import { runLists } from '#lib/lists/run-lists.ts';
import { checkDueConnections } from '#lib/messaging/connections/recheck-connections.ts';
import { settleLines } from '#lib/engine/store/run-lines.ts';
import { indexDue } from '#lib/events/full-text/index-due.ts';
import { startDue } from '#lib/engine/schedules/start-due.ts';
import { pruneSignals } from '#lib/engine/store/signal-waits.ts';
import { pruneWebhookKeys } from '#lib/engine/store/start-runs.ts';
import { createConfirmationHandler } from '#lib/messaging/consent/confirmations.ts';
import { refreshDueConnections } from '#lib/messaging/connections/tokens/refresh-due-connections.ts';
import { pruneMedia } from '#lib/messaging/media/open-media-store.ts';
import { pruneMessaging } from '#lib/messaging/prune-messaging.ts';
import { countDueDays } from '#lib/messaging/reports/count-days.ts';
import { toMessagingRuntime } from '#lib/messaging/runtime.ts';
import { workOffErasures } from '#lib/workflows/erasure/work-off.ts';
import { removeDue } from '#lib/workflows/retention/remove-due.ts';
import { pruneTrash } from '#lib/workflows/trash/trash.ts';
import { pruneSecrets } from '#lib/secrets/stored-secrets.ts';

/** The recurring jobs of a worker (lib/engine/queue/recurring.ts). */
export const recurringJobs = (runtime: ProcessRuntime): WorkerOptions['recurring'] => ({
  housekeeping: () => runHousekeeping(runtime),
  partitions: () => maintainTables(runtime),
  run_lines: () => settleLines(runtime.hot),
  retention: () => removeDueData(runtime),
  connection_checks: () => checkConnections(runtime),
  message_counts: () => countMessages(runtime),
  erasures: () => eraseCustomers(runtime),
  full_text: () => indexEvents(runtime),
  schedules: () => startSchedules(runtime),
  lists: () => startLists(runtime),
  mail: () => adoptMails(runtime.db),
  alerts: () => withKeys(runtime, runAlerts),
  alert_deliveries: () => adoptDeliveries(runtime),
  alert_checks: () => withKeys(runtime, runAlertChecks),
  payload_checks: () => withKeys(runtime, runPayloadChecks),
});

/** The handlers of other rooms' jobs, in workers, and in web processes while there are no workers. */
export function jobHandlers(runtime: ProcessRuntime): JobHandler[] {
  if (!runtime.settings.ENCRYPTION_KEYS) return [];
  const mails = createMailHandler(runtime);
  return [
    createDeliveryHandler(toAlertRuntime(runtime)),
    createConfirmationHandler(toMessagingRuntime(runtime)),
    ...(mails ? [mails] : []),
  ];
}

/** Removes outdated data and refreshes unused connections; an hourly job of the queue. */
async function runHousekeeping(runtime: ProcessRuntime): Promise<void> {
  await pruneMessaging(runtime.hot);
  await pruneSecrets(runtime.db.$client);
  await pruneSignals(runtime.hot);
  await pruneWebhookKeys(runtime.hot);
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

/** Partitions of months (`patchbay partition`); plain tables need nothing. */
async function maintainTables({ db, logger }: ProcessRuntime): Promise<void> {
  const { made, dropped, released } = await maintainPartitions(db.$client);
  if (made.length > 0) logger.info({ partitions: made }, 'Partitions of months were made ahead');
  if (dropped.length > 0) logger.info({ partitions: dropped }, 'Emptied partitions were dropped');
  if (released.length > 0)
    logger.warn({ tables: released }, 'A conversion to partitions was begun and never ended: it was undone');
}

/** What is left of a backlog is continued after this time. */
const CONTINUE_AFTER_MS = 100;

/** Removes what is older than its workspace keeps it. */
async function removeDueData(runtime: ProcessRuntime): Promise<number | void> {
  const { db, settings } = runtime;
  const files = settings.ENCRYPTION_KEYS ? { files: toMessagingRuntime(runtime) } : {};
  if (await removeDue({ pool: db.$client, ...files })) return CONTINUE_AFTER_MS;
}

/** Counts for reports what changed in sent messages. */
async function countMessages({ db }: ProcessRuntime): Promise<number | void> {
  if (await countDueDays({ pool: db.$client })) return CONTINUE_AFTER_MS;
}

/** Continues the erasures of customers. */
async function eraseCustomers(runtime: ProcessRuntime): Promise<number | void> {
  if (!runtime.settings.ENCRYPTION_KEYS) return;
  const { db, secrets } = runtime;
  const files = toMessagingRuntime(runtime);
  if (await workOffErasures({ db, secrets, files })) return CONTINUE_AFTER_MS;
}

/** Indexes events for the search, where that is on. */
async function indexEvents({ db }: ProcessRuntime): Promise<number | void> {
  if (await indexDue({ pool: db.$client })) return CONTINUE_AFTER_MS;
}

/** Starts workflows whose schedules are due. */
const startSchedules = ({ hot, logger }: ProcessRuntime): Promise<number | undefined> =>
  startDue(hot, (workflowId, error) =>
    logger.error(
      { err: error, ...about({ workflowId }) },
      'The next time of a schedule could not be computed',
    ),
  );

/** Checks and starts the rows of lists. */
async function startLists(runtime: ProcessRuntime): Promise<number | void> {
  if (!runtime.settings.ENCRYPTION_KEYS) return;
  return runLists(toMessagingRuntime(runtime));
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
