import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { checkDueConnections } from '#lib/messaging/connections/check-due-connections.ts';
import { pruneSignals } from '#lib/engine/store/prune-signals.ts';
import { refreshDueConnections } from '#lib/messaging/connections/refresh-due-connections.ts';
import { pruneMessaging } from '#lib/messaging/prune-messaging.ts';
import { toMessagingRuntime } from '#lib/messaging/runtime.ts';
import { pruneSecrets } from '#lib/secrets/prune-secrets.ts';

/** Removes what nobody needs any more and refreshes connections that nobody uses; a job of the queue does it hourly. */
export async function runHousekeeping(runtime: ProcessRuntime): Promise<void> {
  await pruneMessaging(runtime.hot);
  await pruneSecrets(runtime.db.$client);
  await pruneSignals(runtime.hot);
  if (runtime.settings.ENCRYPTION_KEYS) await refreshDueConnections(toMessagingRuntime(runtime));
}

/** Asks the platform about connections that were not checked for long, or that it said something about. */
export async function checkConnections(runtime: ProcessRuntime): Promise<void> {
  if (runtime.settings.ENCRYPTION_KEYS) await checkDueConnections(toMessagingRuntime(runtime));
}
