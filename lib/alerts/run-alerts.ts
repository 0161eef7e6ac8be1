// The workers' recurring jobs for alerts (lib/engine/queue/recurring.ts).
import { and, isNull, lt, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#lib/core/db/client.ts';
import { checkConnections } from './checks/check-connections.ts';
import { checkInstallation } from './checks/check-installation.ts';
import { checkPayloads } from './checks/check-payloads.ts';
import { checkSilences } from './checks/check-silences.ts';
import { checkUndelivered } from './checks/check-undelivered.ts';
import { sendDigests } from './digests/send-digests.ts';
import { recordFailures } from './failures/record-failures.ts';
import { recordNotices } from './notices/record-notices.ts';
import type { AlertRuntime } from './runtime.ts';
import { alertRecipients, alerts } from './schema.ts';

/** Every few seconds: reports failed runs and notices of the platform. */
export async function runAlerts(runtime: AlertRuntime): Promise<void> {
  if (!(await hasWork(runtime))) return;
  await recordFailures(runtime);
  await recordNotices(runtime);
  await sendDigests(runtime);
}

/** Every minute: checks connections, silences, undelivered messages and the installation. A check that fails does not stop the others. */
export async function runAlertChecks(runtime: AlertRuntime): Promise<void> {
  for (const check of [checkConnections, checkSilences, checkUndelivered, checkInstallation])
    await check(runtime).catch((error: unknown) => {
      runtime.logger.error({ err: error, check: check.name }, 'A check for alerts failed');
    });
}

/** Every quarter of an hour: checks payloads, which is slower. */
export const runPayloadChecks = (runtime: AlertRuntime): Promise<void> => checkPayloads(runtime);

/** Whether anything has to be reported: one statement, which reads the first entry of four indexes. */
async function hasWork({ db }: Pick<AlertRuntime, 'db'>): Promise<boolean> {
  const [row] = await queryRows<{ found: boolean }>(
    db,
    sql`select exists (select from failed_runs)
      or exists (select from account_notices)
      or exists (select from alert_states where digest_at is not null and digest_at <= now())
      or exists (select from alert_recipients where digest_at is not null and digest_at <= now())
      as found`,
  );
  return row?.found === true;
}

/** As long as the records of mails (lib/mail), which have the outcome. */
const KEEP_DAYS = 30;

/** Removes old alerts with their deliveries, and old states of recipients. */
export async function pruneAlerts(db: Database): Promise<void> {
  await db.delete(alerts).where(lt(alerts.createdAt, sql`now() - make_interval(days => ${KEEP_DAYS})`));
  await db
    .delete(alertRecipients)
    .where(
      and(
        isNull(alertRecipients.digestAt),
        lt(alertRecipients.windowStartedAt, sql`now() - interval '1 day'`),
      ),
    );
}
