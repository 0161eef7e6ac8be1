// Every job, check and screen of the alerts, for tests and for the bench.
import { checkConnections } from '#lib/alerts/checks/check-connections.ts';
import { checkInstallation } from '#lib/alerts/checks/check-installation.ts';
import { checkPayloads } from '#lib/alerts/checks/check-payloads.ts';
import { checkSilences } from '#lib/alerts/checks/check-silences.ts';
import { checkUndelivered } from '#lib/alerts/checks/check-undelivered.ts';
import { adoptDeliveries, createDeliveryHandler } from '#lib/alerts/deliveries/deliver-alert.ts';
import { loadDestinations } from '#lib/alerts/destinations/load-destinations.ts';
import { sendDigests } from '#lib/alerts/digests/send-digests.ts';
import { recordFailures } from '#lib/alerts/failures/record-failures.ts';
import { listAlerts } from '#lib/alerts/list-alerts.ts';
import { loadAlertSettings } from '#lib/alerts/stored-settings.ts';
import { recordNotices } from '#lib/alerts/notices/record-notices.ts';
import { pruneAlerts, runAlerts } from '#lib/alerts/run-alerts.ts';
import type { AlertRuntime } from '#lib/alerts/runtime.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { listMembers } from '#lib/identity/members/members.ts';
import { workOff } from '#lib/core/queue/testing/work-off.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { adoptMails, createMailHandler, pruneMails } from '#lib/mail/send-mail.ts';
import { listWorkflowNames } from '#lib/workflows/workflow-names.ts';
import { noteFailedRuns } from './alert-history.ts';

/** Tables that grow with use: a sequential scan of one of them is a failure. */
export const GROWING_TABLES = [
  'events',
  'runs',
  'task_runs',
  'undelivered_runs',
  'alerts',
  'alert_deliveries',
  'alert_states',
  'mails',
];

export interface AlertCase {
  name: string;
  /** `idle`: there is nothing to do. `page`: reads about as many rows as it lists or changes. `workflows`: some of each workflow. */
  bound: 'idle' | 'page' | 'workflows';
  prepare: () => Promise<unknown>;
  run: () => Promise<unknown>;
}

export const PAGE = 25;
const nothing = () => Promise.resolve();

export function alertCases(
  runtime: ActorContext & AlertRuntime,
  workflowIds: readonly string[],
): AlertCase[] {
  const { db } = runtime;
  const later = () => new Date(Date.now() + 2 * 3_600_000);
  const fail = async (): Promise<void> => {
    await noteFailedRuns(runtime, { workflowIds, count: 2 * workflowIds.length });
  };
  const failAfterAWhile = async (): Promise<void> => {
    await db.$client.query(`update alert_states set told_at = null where matter like 'run_failed:%'`);
    await fail();
  };
  const idle = (name: string, run: () => Promise<unknown>): AlertCase => ({
    name,
    bound: 'idle',
    prepare: nothing,
    run,
  });
  const busy = (name: string, run: () => Promise<unknown>, prepare = nothing): AlertCase => ({
    name,
    bound: 'page',
    prepare,
    run,
  });
  const ofWorkflows = (name: string, run: () => Promise<unknown>): AlertCase => ({
    ...busy(name, run),
    bound: 'workflows',
  });
  return [
    idle('every 5 seconds, nothing to do', () => runAlerts(runtime)),
    idle('failed runs: none', () => recordFailures(runtime)),
    busy('failed runs: some of every workflow', () => recordFailures(runtime), failAfterAWhile),
    busy(
      'failed runs: digests of all',
      () => recordFailures(runtime, later()),
      async () => {
        await failAfterAWhile();
        await recordFailures(runtime);
        await fail();
        await recordFailures(runtime);
      },
    ),
    busy('digests: what waited', () => sendDigests(runtime, later())),
    idle('digests: none is due', () => sendDigests(runtime)),
    idle('notices of the platform: none', () => recordNotices(runtime)),
    idle('deliveries: none is due', () => workOff(db.$client, createDeliveryHandler(runtime))),
    idle('deliveries of 0.2.0: none', () => adoptDeliveries(runtime)),
    busy('mails: some are due', () => workOff(db.$client, createMailHandler(runtime))),
    idle('mails: none is due', () => workOff(db.$client, createMailHandler(runtime))),
    idle('mails of 0.2.0: none', () => adoptMails(db)),
    busy('check of connections', () => checkConnections(runtime)),
    ofWorkflows('check of silences', () => checkSilences(runtime)),
    ofWorkflows('check of silences, told', () => checkSilences(runtime)),
    ofWorkflows('check of undelivered messages', () => checkUndelivered(runtime)),
    idle('check of undelivered messages: none', () => checkUndelivered(runtime)),
    busy('check of the installation', () => checkInstallation(runtime)),
    ofWorkflows('check of payloads', () => checkPayloads(runtime)),
    busy('the page, first alerts', () => listAlerts(runtime, { limit: PAGE })),
    busy('the page, further alerts', async () => {
      const { next_cursor: cursor } = await listAlerts(runtime, { limit: PAGE });
      await listAlerts(runtime, { limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    }),
    busy('the page, settings', async () => {
      await loadDestinations(db, runtime.workspaceId);
      await loadAlertSettings(db, runtime.workspaceId);
      await listMembers(runtime);
      await listWorkflowNames(runtime);
      await findFirstWorkspace(db);
    }),
    busy('removal of old alerts and mails', async () => {
      await pruneAlerts(db);
      await pruneMails(db);
    }),
  ];
}
