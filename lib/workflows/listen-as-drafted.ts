import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { Context, Transaction, ActorContext } from '#lib/identity/context.ts';
import { hasConnection, listenToMessages } from '#lib/messaging/connections/listen-to-messages.ts';
import type { MessageStart } from '#lib/messaging/schema/subscription-kinds.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { AppError } from '#lib/core/errors.ts';
import { ensureNotifications } from '#lib/messaging/connections/subscribe-notifications.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import type { PublishedWorkflow, Workflow } from './schema.ts';

type Tasks = Pick<WorkflowGraph, 'tasks'>;

/** Which messages start a workflow; null: none. */
export const findMessageStart = ({ tasks }: Tasks): MessageStart | null =>
  tasks
    .map(({ type, settings }) => findTaskKind(type)?.messageStart?.(settings) ?? null)
    .find((start) => start !== null) ?? null;

/**
 * Until a workflow is published it subscribes to the messages of its draft, in the transaction that saves it: they are stored
 * as events, whose fields are variables, and run nothing.
 * @param before the draft until now; left out: the workflow is new
 */
export async function listenAsDrafted(
  ctx: Context,
  tx: Transaction,
  { id, draft, before }: { id: string; draft: Tasks; before?: Tasks },
): Promise<void> {
  const start = findMessageStart(draft);
  if (JSON.stringify(start) === JSON.stringify(before ? findMessageStart(before) : null)) return;
  await listenToDraft(ctx, tx, { id, draft });
}

/** Subscribes to the messages of a draft; to none, while it has no connection of the workspace. */
export async function listenToDraft(
  ctx: Context,
  tx: Transaction,
  { id, draft }: { id: string; draft: Tasks },
): Promise<void> {
  const start = findMessageStart(draft);
  const isKnown = start !== null && (await hasConnection(ctx, tx, start.connectionId));
  await listenToMessages(ctx, tx, { id, start: isKnown ? start : null });
}

/**
 * After publishing, asks the platform to send the connection the messages that start the workflow. It stays published when
 * the platform refuses: a warning has the reason.
 */
export async function receiveMessages(ctx: ActorContext, workflow: Workflow): Promise<PublishedWorkflow> {
  const start = findMessageStart(workflow);
  if (!start) return { ...workflow, warnings: [] };
  try {
    await ensureNotifications(toMessagingContext(ctx), { id: start.connectionId });
    return { ...workflow, warnings: [] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const warning = `Published, but messages do not start it yet: the platform does not send them to the connection. ${error.message}`;
    return { ...workflow, warnings: [warning] };
  }
}
