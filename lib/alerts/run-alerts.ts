// What workers do about alerts, each as its own job (lib/engine/queue/recurring-jobs.ts).
import { checkConnections } from './checks/check-connections.ts';
import { checkInstallation } from './checks/check-installation.ts';
import { checkPayloads } from './checks/check-payloads.ts';
import { checkSilences } from './checks/check-silences.ts';
import { sendDueDeliveries } from './deliveries/send-due-deliveries.ts';
import { sendDigests } from './digests/send-digests.ts';
import { tellFailures } from './failures/tell-failures.ts';
import { tellNotices } from './notices/tell-notices.ts';
import { hasWork } from './has-work.ts';
import type { AlertRuntime } from './runtime.ts';

/** Every few seconds: tells of runs that failed and of what the platform said. */
export async function runAlerts(runtime: AlertRuntime): Promise<void> {
  if (!(await hasWork(runtime))) return;
  await tellFailures(runtime);
  await tellNotices(runtime);
  await sendDigests(runtime);
}

/** Every few seconds, beside it: a receiver that does not answer holds up nobody who is told otherwise. */
export const runAlertDeliveries = (runtime: AlertRuntime): Promise<void> => sendDueDeliveries(runtime);

/** Every minute: looks at connections, silences and the installation. One that cannot be looked at does not stop the others. */
export async function runAlertChecks(runtime: AlertRuntime): Promise<void> {
  for (const check of [checkConnections, checkSilences, checkInstallation])
    await check(runtime).catch((error: unknown) => {
      runtime.logger.error({ err: error, check: check.name }, 'A check for alerts failed');
    });
}

/** Every quarter of an hour: reads payloads, which takes longer. */
export const runPayloadChecks = (runtime: AlertRuntime): Promise<void> => checkPayloads(runtime);
