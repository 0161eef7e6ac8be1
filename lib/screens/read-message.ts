// One message, with all that led to it, masked for the reader.
import { AppError } from '#lib/core/errors.ts';
import { findVersion } from '#lib/engine/store/load-version.ts';
import { getEvent } from '#lib/events/read-events.ts';
import { findReceived, type TimelineItem } from '#lib/messaging/conversations/list-timeline.ts';
import { findCustomerOf } from '#lib/messaging/customers/list-customers.ts';
import { findMessages } from '#lib/messaging/sending/find-message.ts';
import { loadRun, toRunMessage } from '#lib/runs/get-run.ts';
import type { Message } from './customer-schema.ts';
import { type CustomerReader, toTimeline } from './to-timeline.ts';

type MessageItem = Extract<TimelineItem, { direction: 'sent' | 'received' }>;

/**
 * A message with all that led to it: event, workflow and version, task, and what the platform reported.
 * @throws AppError `not_found`
 */
export async function readMessage(ctx: CustomerReader, id: string): Promise<Message> {
  const [[sent], [received]] = await Promise.all([findMessages(ctx, [id]), findReceived(ctx, [id])]);
  const item: MessageItem | undefined = sent
    ? { direction: 'sent', at: sent.createdAt, message: sent }
    : received;
  if (!item)
    throw new AppError(
      'not_found',
      'No message has this id: it belongs to another workspace, or it was removed after its retention.',
    );
  const [message] = await toTimeline(ctx, [item]);
  if (!message) throw new Error('A message was found and is not shown.');
  const name = item.direction === 'sent' ? item.message.recipient : item.customer;
  const [customerId, task, events] = await Promise.all([
    findCustomerOf(ctx, name),
    findTask(ctx, item),
    Promise.all(message.event_ids.map((eventId) => findEvent(ctx, eventId))),
  ]);
  return { ...message, customer_id: customerId, task, events: events.flat() };
}

async function findTask(ctx: CustomerReader, item: MessageItem): Promise<Message['task']> {
  if (item.direction === 'received') return null;
  const { runId, taskId } = item.message;
  if (runId === null || taskId === null) return null;
  const run = await loadRun(ctx, runId).catch(() => null);
  const version = run && (await findVersion(ctx.db.$client, run.workflow_id, run.version));
  const name = version?.graph.tasks.find(({ id }) => id === taskId)?.name ?? null;
  return { task_id: taskId, name, iteration: toRunMessage(item.message).iteration };
}

async function findEvent(ctx: CustomerReader, id: string): Promise<Message['events']> {
  try {
    const { outcome, reason, received_at } = await getEvent(ctx, { id });
    return [{ id, outcome, reason, received_at }];
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return [];
    throw error;
  }
}
