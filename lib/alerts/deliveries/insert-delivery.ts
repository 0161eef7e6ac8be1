import { newId } from '#lib/core/ids.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { queueMail } from '#lib/mail/queue-mail.ts';
import type { AlertContent } from '../alert-types.ts';
import type { AlertKind } from '../kinds.ts';
import type { AlertRuntime } from '../runtime.ts';
import { alertDeliveries } from '../schema.ts';
import type { Recipient } from './list-recipients.ts';
import { ALERT_USEFUL_SECONDS, writeMail } from './write-mail.ts';

export interface RecordedAlert {
  id: string;
  workspaceId: string;
  kind: AlertKind;
  content: AlertContent;
}

/** No worker, of any version, takes it before: only its digest does. */
const UNTIL_DIGEST = new Date('9999-01-01T00:00:00Z');

/**
 * Queues an alert for a recipient: a mail in the queue of mails, everything else in that of deliveries.
 * @param gatheredFor it waits for the digest of this recipient, an id of `alert_recipients`
 * @returns the id of the delivery
 */
export async function insertDelivery(
  { secrets, baseUrl }: Pick<AlertRuntime, 'secrets' | 'baseUrl'>,
  tx: Transaction,
  {
    alert,
    workspaceName,
    recipient: { destination, target, problem },
    gatheredFor = null,
  }: {
    alert: RecordedAlert;
    workspaceName: string;
    recipient: Recipient;
    gatheredFor?: string | null;
  },
): Promise<string> {
  const id = newId();
  const { channel } = destination.config;
  const isMailed = channel === 'email' && problem === null && gatheredFor === null;
  const mailId = isMailed
    ? await queueMail(tx, secrets, {
        kind: 'alert',
        to: target,
        usefulSeconds: ALERT_USEFUL_SECONDS,
        ...writeMail(alert.content, { workspaceName, baseUrl }),
      })
    : null;
  await tx.insert(alertDeliveries).values({
    id,
    alertId: alert.id,
    destinationId: destination.id,
    channel,
    target,
    mailId,
    ...(problem === null ? {} : { failedAt: new Date(), problem }),
    ...(gatheredFor === null ? {} : { gatheredFor, dueAt: UNTIL_DIGEST }),
  });
  return id;
}
