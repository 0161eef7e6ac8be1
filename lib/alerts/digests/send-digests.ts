import { eq, inArray, lte } from 'drizzle-orm';
import { newId } from '#lib/core/ids.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { findWorkspaceName } from '../find-workspace-name.ts';
import { insertDelivery } from '../deliveries/insert-delivery.ts';
import { listRecipients, type Recipient } from '../deliveries/list-recipients.ts';
import { loadDestinations } from '../destinations/load-destinations.ts';
import type { AlertKind } from '../kinds.ts';
import type { AlertRuntime } from '../runtime.ts';
import { alertDeliveries, alertRecipients, alerts } from '../schema.ts';
import { describeDigest, type GatheredAlert } from './describe-digest.ts';
import { listDueRecipients, lockRecipients, saveRecipient } from './recipient-states.ts';
import { afterDigest } from './weigh-recipient.ts';

const NOT_TOLD_ANY_MORE = 'It was deleted, switched off or removed before the digest was sent.';

/** Sends due digests, and marks their alerts as sent in the same transaction: two concurrent workers send each once. */
export async function sendDigests(runtime: AlertRuntime, now = new Date()): Promise<void> {
  for (;;) {
    const [due] = await runtime.db
      .select({ workspaceId: alertRecipients.workspaceId })
      .from(alertRecipients)
      .where(lte(alertRecipients.digestAt, now))
      .orderBy(alertRecipients.digestAt)
      .limit(1);
    if (!due) return;
    await runtime.db.transaction((tx) => sendOfWorkspace(runtime, tx, due.workspaceId, now));
  }
}

interface Gathered extends GatheredAlert {
  deliveryId: string;
  alertId: string;
}

/** One digest, for all recipients with the same waiting alerts. */
interface Digest {
  kind: AlertKind;
  gathered: Gathered[];
  deliveries: { recipient: Recipient; deliveryIds: string[] }[];
}

async function sendOfWorkspace(
  runtime: AlertRuntime,
  tx: Transaction,
  workspaceId: string,
  now: Date,
): Promise<void> {
  await lockRecipients(tx, workspaceId);
  const due = await listDueRecipients(tx, workspaceId, now);
  const told = await listRecipients(runtime, tx, {
    workspaceId,
    destinations: (await loadDestinations(tx, workspaceId)).filter(({ enabled }) => enabled),
  });
  const digests = new Map<string, Digest>();
  for (const { id, kind, recipient: key } of due) {
    await saveRecipient(tx, id, afterDigest(now.getTime()));
    const gathered = await listGathered(tx, id);
    const deliveryIds = gathered.map(({ deliveryId }) => deliveryId);
    const recipient = told.find((each) => each.key === key);
    if (!recipient) await giveUp(tx, deliveryIds, now);
    if (!recipient || gathered.length === 0) continue;
    const same = `${kind} ${gathered.map(({ alertId }) => alertId).join(' ')}`;
    const digest = digests.get(same) ?? { kind, gathered, deliveries: [] };
    digest.deliveries.push({ recipient, deliveryIds });
    digests.set(same, digest);
  }
  const workspaceName = await findWorkspaceName(tx, workspaceId);
  for (const digest of digests.values()) await send(runtime, tx, { digest, workspaceId, workspaceName, now });
}

async function send(
  runtime: AlertRuntime,
  tx: Transaction,
  {
    digest: { kind, gathered, deliveries },
    workspaceId,
    workspaceName,
    now,
  }: { digest: Digest; workspaceId: string; workspaceName: string; now: Date },
): Promise<void> {
  const alert = { id: newId(), workspaceId, kind, content: describeDigest(kind, gathered) };
  await tx.insert(alerts).values({ ...alert, workflowId: null });
  for (const { recipient, deliveryIds } of deliveries) {
    const digestDeliveryId = await insertDelivery(runtime, tx, { alert, workspaceName, recipient });
    await tx
      .update(alertDeliveries)
      .set({ gatheredFor: null, digestDeliveryId, sentAt: now })
      .where(inArray(alertDeliveries.id, deliveryIds));
  }
}

const giveUp = (tx: Transaction, deliveryIds: string[], now: Date): Promise<unknown> =>
  tx
    .update(alertDeliveries)
    .set({ gatheredFor: null, failedAt: now, problem: NOT_TOLD_ANY_MORE })
    .where(inArray(alertDeliveries.id, deliveryIds));

const listGathered = (tx: Transaction, recipientId: string): Promise<Gathered[]> =>
  tx
    .select({
      deliveryId: alertDeliveries.id,
      alertId: alerts.id,
      workflowId: alerts.workflowId,
      content: alerts.content,
      createdAt: alerts.createdAt,
    })
    .from(alertDeliveries)
    .innerJoin(alerts, eq(alerts.id, alertDeliveries.alertId))
    .where(eq(alertDeliveries.gatheredFor, recipientId))
    .orderBy(alertDeliveries.id);
