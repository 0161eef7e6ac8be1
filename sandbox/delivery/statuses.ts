import { type GraphError, titleOf } from '../graph-error.ts';
import type { Message, PlatformFault, StatusStep } from '../model.ts';
import { fateOf } from '../special-numbers.ts';
import type { World } from '../world.ts';
import { notifyStatus } from './notifications.ts';

const RANK = { accepted: 0, sent: 1, delivered: 2, read: 3, played: 4, failed: 5 } as const;

/** Advances an accepted message: sent → delivered (→ read), or failed, by the customer's number and the settings. */
export function followStatuses(world: World, message: Message, failure: GraphError | null): void {
  const { timers, settings } = world;
  const fate = fateOf(message.customer);
  timers.after(settings.sent_after_ms, () => {
    if (failure) return recordStatus(world, message, 'failed', [describe(failure.code, failure.details)]);
    if (fate === 'undeliverable') {
      return recordStatus(world, message, 'failed', [
        describe(131026, 'Message Undeliverable: the number is not on the platform.'),
      ]);
    }
    if (fate === 'limited') {
      return recordStatus(world, message, 'failed', [
        describe(131049, 'The customer received too many messages lately.'),
      ]);
    }
    if (fate === 'experiment' && message.templateName !== null) {
      return recordStatus(world, message, 'failed', [
        describe(130472, 'The number is part of an experiment and gets no marketing.'),
      ]);
    }
    recordStatus(world, message, 'sent');
    // The platform reports no further statuses of a reaction.
    if (fate === 'switched_off' || message.type === 'reaction') return;
    timers.after(settings.delivered_after_ms, () => {
      recordStatus(world, message, 'delivered');
      if (fate !== 'reads_at_once' && !settings.read_automatically) return;
      timers.after(settings.read_after_ms, () => recordStatus(world, message, 'read'));
    });
  });
}

/** The customer opened the chat: delivered messages become read (unless read receipts are off). */
export function readChat(world: World, chat: Message[]): void {
  for (const message of chat) {
    const unread = message.direction === 'out' && message.status === 'delivered';
    if (unread && fateOf(message.customer) !== 'no_receipts') recordStatus(world, message, 'read');
  }
}

/** Adds a status and notifies; statuses never go back, and a failed message stays failed. */
export function recordStatus(
  world: World,
  message: Message,
  status: StatusStep['status'],
  errors?: PlatformFault[],
): void {
  if (RANK[status] <= RANK[message.status]) return;
  const step: StatusStep = {
    status,
    timestampSeconds: world.clock.nowSeconds(),
    ...(errors ? { errors } : {}),
  };
  message.status = status;
  message.steps.push(step);
  world.changes.emit('change', message.customer);
  notifyStatus(world, message, step);
}

/** An error in the format of statuses. */
export function describe(code: number, details: string): PlatformFault {
  const title = titleOf(code);
  return { code, title, message: title, error_data: { details } };
}
