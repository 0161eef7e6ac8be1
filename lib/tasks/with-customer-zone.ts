// Gives tasks whose texts write dates in the customer's time zone that zone, right before they are executed.
import type { Database } from '#lib/core/db/client.ts';
import type { TaskContext, TaskExecutor } from '#lib/engine/task-executor.ts';
import { findCustomerZone } from '#lib/messaging/customers/customer-zone.ts';
import { findCustomerOfRun } from '#lib/messaging/customers/runs-of-customer.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import { hasString } from '#lib/secrets/placeholder-format.ts';
import { withCustomerZone } from '#lib/variables/scope.ts';
import { asksZoneOf } from '#lib/variables/task-names.ts';
import { renderSetting } from './evaluate-setting.ts';
import { perSettings } from './setting-values.ts';
import type { TaskKind } from './task-kind.ts';

type Settings = Record<string, unknown>;
type Task = Pick<TaskContext, 'settings' | 'scope' | 'workspaceId' | 'runId' | 'now'>;

/** Whether a text of the settings writes a date in the customer's time zone. */
export const asksCustomerZone = perSettings((settings: Settings) =>
  hasString(settings, (text) => asksZoneOf('customer', text)),
);

/**
 * The task's variables with the customer's time zone, where its texts ask for it: the customer whom it sends to, else whom the run is
 * about. Where there is none, it stays the workspace's.
 */
export async function scopeInZone(
  db: Database,
  kind: Pick<TaskKind, 'recipientOf'>,
  { settings, scope, workspaceId, runId, now: at }: Task,
): Promise<TaskContext['scope']> {
  if (!asksCustomerZone(settings)) return scope;
  const text = kind.recipientOf?.(settings);
  const recipient =
    text === undefined
      ? await findCustomerOfRun({ db, workspaceId }, runId)
      : readRecipient(renderSetting(text, scope, 'none')).value?.id;
  if (recipient === undefined) return scope;
  return withCustomerZone(scope, await findCustomerZone(db.$client, { workspaceId, recipient, at }));
}

/** @param load returns the dependencies; called where a task's texts ask for the zone */
export const withZones = (
  executor: TaskExecutor,
  kind: Pick<TaskKind, 'recipientOf'>,
  load: () => Promise<{ db: Database }>,
): TaskExecutor => ({
  ...executor,
  execute: (context) =>
    asksCustomerZone(context.settings)
      ? executeInZone(executor, kind, context, load)
      : executor.execute(context),
});

async function executeInZone(
  executor: TaskExecutor,
  kind: Pick<TaskKind, 'recipientOf'>,
  context: TaskContext,
  load: () => Promise<{ db: Database }>,
) {
  const { db } = await load();
  return executor.execute({ ...context, scope: await scopeInZone(db, kind, context) });
}
