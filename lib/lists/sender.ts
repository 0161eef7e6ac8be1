// The number that a workflow's messages are from, and what they cost of its limits.
import type { Pool, Queryable } from '#lib/core/db/client.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { findVersion } from '#lib/engine/store/load-version.ts';
import type { Context } from '#lib/identity/context.ts';
import { findLimitOf } from '#lib/messaging/limits/list-limits.ts';
import { findTemplateFacts } from '#lib/messaging/message-templates/find-template-facts.ts';
import { limitsOf } from '#lib/messaging/sending/take-turn.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';
import type { SendLimits } from '#lib/messaging/platform/settings.ts';
import { limitOfTier } from '#lib/messaging/schema/number-words.ts';
import { findCommonSender, type Sender } from '#lib/tasks/fill-sender.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { readPicks } from '#lib/tasks/picks.ts';

/** What the job of lists needs of its process. */
export type ListRuntime = Pick<MessagingRuntime, 'db' | 'hot' | 'secrets' | 'platform' | 'logger'>;

/** The published version of a workflow, whose workspace was checked; null: there is none. */
export async function readPublished(client: Queryable, workflowId: string): Promise<number | null> {
  const { rows } = await client.query<{ version: number | null }>(
    'select published_version as version from workflows where id = $1 and deleted_at is null',
    [workflowId],
  );
  return rows[0]?.version ?? null;
}

/** The tasks of a version that are executed. @returns none for a version that does not exist */
export async function listTasks(
  pool: Pool,
  workflowId: string,
  version: number | null,
): Promise<WorkflowTask[]> {
  const stored = version === null ? undefined : await findVersion(pool, workflowId, version);
  return stored
    ? [...stored.compiled.nodes.values()].map(({ task }) => task).filter(({ disabled }) => !disabled)
    : [];
}

/** Whether the task sends a message. */
const sendsMessage = ({ type, settings }: WorkflowTask): boolean =>
  findTaskKind(type)?.recipientOf?.(settings) !== undefined;

/** The sender of all messages, as far as it is the same for each. */
export const senderOf = (tasks: readonly WorkflowTask[]): Sender | undefined =>
  findCommonSender(tasks.filter(sendsMessage));

/** Messages a second: of the sender's number, or of any number. */
export async function findRate(pool: Pool, sender: Sender | undefined, limits: SendLimits): Promise<number> {
  const { connectionId, phoneNumberId } = sender ?? {};
  if (connectionId === undefined || phoneNumberId === undefined) return limits.messagesPerSecond;
  return (await limitsOf(pool, { connectionId, phoneNumberId }, limits)).messagesPerSecond;
}

/** The categories of the message templates that tasks send, by the platform's data; null: a text, or unknown. One for each task. */
export async function listCategories(
  { pool, workspaceId }: Pick<Context, 'workspaceId'> & { pool: Pool },
  tasks: readonly WorkflowTask[],
): Promise<(string | null)[]> {
  return Promise.all(
    tasks.filter(sendsMessage).map(async (task) => {
      const { connection, businessAccount, templates } = readPicks(task);
      const [template] = templates;
      if (!connection || !template) return null;
      const facts = await findTemplateFacts(
        { pool, workspaceId },
        {
          connectionId: connection.value,
          businessAccountId: businessAccount?.value ?? '',
          name: template.value,
          language: template.language ?? '',
        },
      );
      return facts?.category ?? null;
    }),
  );
}

/** How many more customers the number may start a conversation with within 24 hours; null: unlimited or unknown. */
export async function findTierLeft(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  sender: Sender | undefined,
): Promise<number | null> {
  const used = sender?.phoneNumberId === undefined ? undefined : await findLimitOf(ctx, sender.phoneNumberId);
  const limit = used && limitOfTier(used);
  return used === undefined || limit === undefined ? null : Math.max(0, limit - used.customers);
}
