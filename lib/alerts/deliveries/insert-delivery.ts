import { eq } from 'drizzle-orm';
import type { AlertContent } from '#lib/alerts/alert-types.ts';
import { type Destination, listAddresses } from '#lib/alerts/destinations/load-destinations.ts';
import type { AlertKind } from '#lib/alerts/kinds.ts';
import type { AlertRuntime } from '#lib/alerts/runtime.ts';
import { alertDeliveries } from '#lib/alerts/schema.ts';
import { newId } from '#lib/core/ids.ts';
import { addJob } from '#lib/core/queue/job-table.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { queueMail } from '#lib/mail/queue-mail.ts';
import { describeMailSetup, type MailSettings } from '#lib/mail/transport.ts';
import { DELIVER_ALERT } from './delivery-types.ts';
import { ALERT_USEFUL_SECONDS, writeMail } from './write-content.ts';

export interface RecordedAlert {
  id: string;
  workspaceId: string;
  kind: AlertKind;
  content: AlertContent;
}

/**
 * Queues an alert for a recipient: as a mail, or as a separate job.
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
    dueAt: null,
    gatheredFor,
    ...(problem === null ? {} : { failedAt: new Date(), problem }),
  });
  const isJob = channel !== 'email' && problem === null && gatheredFor === null;
  if (isJob) await addJob(tx, DELIVER_ALERT, { delivery_id: id });
  return id;
}

/** One address, webhook or workflow that receives an alert. */
export interface Recipient {
  destination: Destination;
  /** Name for users: an address, a host, the name of a workflow. */
  target: string;
  /** Identifies the recipient within the workspace. */
  key: string;
  /** Why nothing can be sent to it, in plain words; null: it can. */
  problem: string | null;
}

const NO_MAIL = 'Mail is not set up: set SMTP_URL and MAIL_FROM.';
const NO_ADDRESS = 'It has no address: nobody it names is a member any more.';

/** All current recipients of destinations; an address of several destinations, once. */
export async function listRecipients(
  { settings }: { settings: MailSettings },
  tx: Transaction,
  { workspaceId, destinations }: { workspaceId: string; destinations: readonly Destination[] },
): Promise<Recipient[]> {
  const mailProblem = describeMailSetup(settings) === null ? NO_MAIL : null;
  const mailed = new Set<string>();
  const recipients: Recipient[] = [];
  for (const destination of destinations) {
    const { id, name, config } = destination;
    if (config.channel !== 'email') {
      recipients.push({ destination, target: await nameTarget(tx, destination), key: id, problem: null });
      continue;
    }
    const addresses = await listAddresses(tx, workspaceId, config);
    if (addresses.length === 0) recipients.push({ destination, target: name, key: id, problem: NO_ADDRESS });
    for (const address of addresses.filter((each) => !mailed.has(each))) {
      mailed.add(address);
      recipients.push({ destination, target: address, key: `email ${address}`, problem: mailProblem });
    }
  }
  return recipients;
}

/** The name of a webhook or a workflow for users. */
async function nameTarget(tx: Transaction, { config, name }: Destination): Promise<string> {
  if (config.channel === 'webhook') return new URL(config.url).host;
  if (config.channel !== 'workflow') return name;
  const [workflow] = await tx
    .select({ name: workflows.name })
    .from(workflows)
    .where(eq(workflows.id, config.workflow_id));
  return workflow?.name ?? name;
}
