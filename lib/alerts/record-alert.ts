import { newId } from '#lib/core/ids.ts';
import type { Transaction } from '#lib/identity/context.ts';
import type { AlertContent } from './alert-types.ts';
import { chooseDestinations, type Destination, loadDestinations } from './destinations/load-destinations.ts';
import { findWorkspace, loadWorkflowAlertSettings } from './stored-settings.ts';
import type { AlertKind } from './kinds.ts';
import type { AlertRuntime } from './runtime.ts';
import { alerts } from './schema.ts';
import type { MailSettings } from '#lib/mail/transport.ts';
import { comesInDigests, lockRecipients, takeTurn } from './digests/recipient-states.ts';
import { insertDelivery, listRecipients, type RecordedAlert } from './deliveries/insert-delivery.ts';

export interface NewAlert {
  workspaceId: string;
  kind: AlertKind;
  /** Null: no workflow. */
  workflowId: string | null;
  content: AlertContent | WriteContent;
}

/** Writes the content of an alert. @param zone its workspace's, for instants in its texts */
export type WriteContent = (zone: string) => AlertContent;

/**
 * Records an alert and queues it for all its destinations. Without any, nothing is recorded.
 * @param tx the transaction that marks the problem as reported, so that it is reported exactly once
 * @returns whether there are any
 */
export async function recordAlert(
  runtime: AlertRuntime,
  tx: Transaction,
  { workspaceId, kind, workflowId, content: given }: NewAlert,
  now = new Date(),
): Promise<boolean> {
  const own = workflowId === null ? null : (await loadWorkflowAlertSettings(tx, workflowId)).own;
  const chosen = chooseDestinations(await loadDestinations(tx, workspaceId), { kind, workflowId, own });
  if (chosen.length === 0) return false;
  const id = newId();
  const { name: workspaceName, zone } = await findWorkspace(tx, workspaceId);
  const content = typeof given === 'function' ? given(zone) : given;
  await tx.insert(alerts).values({ id, workspaceId, kind, workflowId, content });
  const alert = { id, workspaceId, kind, content };
  await queueDeliveries(runtime, tx, { alert, workspaceName, destinations: chosen }, now);
  return true;
}

export interface QueuedAlert {
  alert: RecordedAlert;
  workspaceName: string;
  destinations: readonly Destination[];
}

/** Queues an alert for destinations: immediately, or for the digest of a recipient with many recent alerts of its kind. */
export async function queueDeliveries(
  runtime: Pick<AlertRuntime, 'secrets' | 'baseUrl'> & { settings: MailSettings },
  tx: Transaction,
  { alert, workspaceName, destinations }: QueuedAlert,
  now = new Date(),
): Promise<void> {
  const { workspaceId, kind } = alert;
  const mayWait = comesInDigests(kind) && !alert.content.isTest;
  if (mayWait) await lockRecipients(tx, workspaceId);
  for (const recipient of await listRecipients(runtime, tx, { workspaceId, destinations })) {
    const gatheredFor =
      mayWait && recipient.problem === null
        ? await takeTurn(tx, { workspaceId, kind, recipient: recipient.key }, now)
        : null;
    await insertDelivery(runtime, tx, { alert, workspaceName, recipient, gatheredFor });
  }
}
