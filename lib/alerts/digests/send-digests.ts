import { writeInstant } from '#lib/core/time/zones.ts';
import { eq, inArray, lte } from 'drizzle-orm';
import type { AlertContent } from '#lib/alerts/alert-types.ts';
import { insertDelivery, listRecipients, type Recipient } from '#lib/alerts/deliveries/insert-delivery.ts';
import { loadDestinations } from '#lib/alerts/destinations/load-destinations.ts';
import { type AlertKind, KIND_INFO } from '#lib/alerts/kinds.ts';
import type { AlertRuntime } from '#lib/alerts/runtime.ts';
import { alertDeliveries, alertRecipients, alerts } from '#lib/alerts/schema.ts';
import { findWorkspace } from '#lib/alerts/stored-settings.ts';
import { newId } from '#lib/core/ids.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { listDueRecipients, lockRecipients, saveRecipient } from './recipient-states.ts';
import { afterDigest, DIRECT_ALERTS, RECIPIENT, WINDOW_MINUTES } from './weigh-window.ts';

const NOT_SENT_ANY_MORE = 'It was deleted, switched off or removed before the digest was sent.';

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
  const recipients = await listRecipients(runtime, tx, {
    workspaceId,
    destinations: (await loadDestinations(tx, workspaceId)).filter(({ enabled }) => enabled),
  });
  const digests = new Map<string, Digest>();
  for (const { id, kind, recipient: key } of due) {
    await saveRecipient(tx, id, afterDigest(now.getTime(), RECIPIENT));
    const gathered = await listGathered(tx, id);
    const deliveryIds = gathered.map(({ deliveryId }) => deliveryId);
    const recipient = recipients.find((each) => each.key === key);
    if (!recipient) await giveUp(tx, deliveryIds, now);
    if (!recipient || gathered.length === 0) continue;
    const same = `${kind} ${gathered.map(({ alertId }) => alertId).join(' ')}`;
    const digest = digests.get(same) ?? { kind, gathered, deliveries: [] };
    digest.deliveries.push({ recipient, deliveryIds });
    digests.set(same, digest);
  }
  const { name: workspaceName, zone } = await findWorkspace(tx, workspaceId);
  for (const digest of digests.values())
    await send(runtime, tx, { digest, workspaceId, workspaceName, zone, now });
}

async function send(
  runtime: AlertRuntime,
  tx: Transaction,
  {
    digest: { kind, gathered, deliveries },
    workspaceId,
    workspaceName,
    zone,
    now,
  }: { digest: Digest; workspaceId: string; workspaceName: string; zone: string; now: Date },
): Promise<void> {
  const alert = { id: newId(), workspaceId, kind, content: describeDigest(kind, gathered, zone) };
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
    .set({ gatheredFor: null, failedAt: now, problem: NOT_SENT_ANY_MORE })
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

/** An alert that waited for a digest. */
export interface GatheredAlert {
  workflowId: string | null;
  content: AlertContent;
  createdAt: Date;
}

/** Maximum number that a digest lists; each has its own entry on the page of alerts. */
const MAX_ITEMS = 500;

/** The digest of waiting alerts, oldest first, each with its link. @param zone of instants */
export function describeDigest(
  kind: AlertKind,
  gathered: readonly GatheredAlert[],
  zone: string,
): AlertContent {
  const { digest: words } = KIND_INFO[kind];
  if (!words) throw new Error(`Alerts of the kind ${kind} come one by one.`);
  const count = new Set(gathered.map(({ workflowId, content }) => workflowId ?? content.title)).size;
  const times = gathered.map(({ createdAt }) => createdAt.getTime());
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))].map((at) =>
    writeInstant(at, zone),
  );
  return {
    title: `${count} more ${count === 1 ? 'workflow' : 'workflows'} ${words.title}`,
    paragraphs: [
      `You got ${DIRECT_ALERTS} alerts of this kind one by one. ${gathered.length === 1 ? 'One more came' : `${gathered.length} more came`} ${first === last ? `on ${first}` : `from ${first} to ${last}`}:`,
      words.whatToDo,
      `If there are more, you get them together, in ${WINDOW_MINUTES} minutes at the earliest. Settings → Alerts shows each alert in full.`,
    ],
    link: words.link,
    count,
    since: new Date(Math.min(...times)).toISOString(),
    items: gathered.slice(0, MAX_ITEMS).map(({ workflowId, content }) => ({
      text: content.title,
      path: content.link.path,
      workflowId,
      workflowName: content.workflowName ?? null,
    })),
  };
}
