import { eq } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { describeMailSetup, type MailSettings } from '#lib/mail/transport.ts';
import { listAddresses } from '../destinations/list-addresses.ts';
import type { Destination } from '../destinations/load-destinations.ts';

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
