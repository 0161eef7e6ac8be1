import { AppError } from '#lib/core/errors.ts';
import { recordSample } from '#lib/events/record-sample.ts';
import { getSender } from '#lib/messaging/connections/connections.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { fillSender } from '#lib/tasks/fill-sender.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { findStarter } from './starters.ts';

export interface StarterInput {
  starterId: string;
  /** Sender of every message; left out: selected later, in the tasks. */
  sender?: { connectionId: string; phoneNumberId: string } | undefined;
}

/**
 * Creates a workflow from a starter, with its sender in every task and its samples as the first events. One that a customer's
 * message starts subscribes to the connection once it is published.
 * @throws AppError `not_found`
 */
export async function createFromStarter(
  ctx: ActorContext,
  { starterId, sender }: StarterInput,
): Promise<{ id: string }> {
  const starter = findStarter(starterId);
  if (!starter) throw new AppError('not_found', 'This starter does not exist.');
  const tasks = sender ? await fillTasks(ctx, starter.graph.tasks, sender) : starter.graph.tasks;
  const { id, webhook } = await createWorkflow(ctx, { name: starter.name, ...starter.graph, tasks });
  for (const body of [...(starter.otherSamples ?? []), starter.sample])
    await recordSample(ctx, { token: webhook.token, body });
  return { id };
}

async function fillTasks(
  ctx: ActorContext,
  tasks: NonNullable<ReturnType<typeof findStarter>>['graph']['tasks'],
  chosen: NonNullable<StarterInput['sender']>,
) {
  const sender = await getSender(ctx, chosen);
  return tasks.map((task) => ({ ...task, settings: fillSender(task, sender) }));
}
