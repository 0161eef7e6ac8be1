// The workers' recurring jobs for alerts (lib/engine/queue/recurring-jobs.ts).
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

/** Every few seconds: reports failed runs and notices of the platform. */
export async function runAlerts(runtime: AlertRuntime): Promise<void> {
  if (!(await hasWork(runtime))) return;
  await tellFailures(runtime);
  await tellNotices(runtime);
  await sendDigests(runtime);
}

/** Every few seconds, as a separate job: a receiver that does not respond delays no other alerts. */
export const runAlertDeliveries = (runtime: AlertRuntime): Promise<void> => sendDueDeliveries(runtime);

/** Every minute: checks connections, silences and the installation. A check that fails does not stop the others. */
export async function runAlertChecks(runtime: AlertRuntime): Promise<void> {
  for (const check of [checkConnections, checkSilences, checkInstallation])
    await check(runtime).catch((error: unknown) => {
      runtime.logger.error({ err: error, check: check.name }, 'A check for alerts failed');
    });
}

/** Every quarter of an hour: checks payloads, which is slower. */
export const runPayloadChecks = (runtime: AlertRuntime): Promise<void> => checkPayloads(runtime);
