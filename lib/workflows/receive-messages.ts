import { AppError } from '#lib/core/errors.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { ensureNotifications } from '#lib/messaging/connections/subscribe-notifications.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import { findMessageStart } from './listen-as-drafted.ts';
import type { PublishedWorkflow, Workflow } from './schema.ts';

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
