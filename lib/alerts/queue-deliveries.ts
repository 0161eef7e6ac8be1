import type { Transaction } from '#lib/identity/context.ts';
import type { MailSettings } from '#lib/mail/transport.ts';
import type { Destination } from './destinations/load-destinations.ts';
import { comesInDigests, lockRecipients, takeTurn } from './digests/recipient-states.ts';
import type { AlertRuntime } from './runtime.ts';
import { insertDelivery, type RecordedAlert } from './deliveries/insert-delivery.ts';
import { listRecipients } from './deliveries/list-recipients.ts';

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
