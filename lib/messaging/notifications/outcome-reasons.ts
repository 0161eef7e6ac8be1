// Why no workflow received a notification, as stored with its event and as shown on screens. Isomorphic.
import type { MessageStatus } from '#lib/messaging/schema/message-statuses.ts';

export const REASONS = {
  awaited: 'Passed to the run that was waiting for it.',
  message: 'No workflow is subscribed to incoming messages of this number.',
  template: 'No workflow is subscribed to template reviews of this connection.',
  /** The prefix; the category and the choice follow. */
  preference: 'The customer’s choice about',
} as const;

export const STATUS_REASONS: Readonly<Record<MessageStatus, string>> = {
  accepted: 'The platform accepted the message.',
  sent: 'The message was sent.',
  delivered: 'The message was delivered to the customer.',
  read: 'The customer read the message.',
  played: 'The customer played the voice message.',
  failed: 'The message could not be delivered.',
};

export const ECHO_REASONS = {
  smb_message_echoes: 'Your staff wrote to the customer in the phone app.',
  message_echoes: 'Another app of the business account wrote to the customer.',
} as const;

const RECEIPTS: ReadonlySet<string> = new Set(Object.values(STATUS_REASONS));

/** The label of a notification that no workflow received. @param reason of its event */
export function nameNotification(reason: string | null): string {
  if (reason === null) return 'Notification';
  if (RECEIPTS.has(reason)) return 'Delivery receipt';
  if (reason === REASONS.awaited) return 'Awaited notification';
  if (reason === REASONS.message) return 'Incoming message';
  if (reason === REASONS.template) return 'Template review';
  if (reason.startsWith(REASONS.preference)) return 'Marketing choice';
  return Object.values<string>(ECHO_REASONS).includes(reason) ? 'Message of your business' : 'Notification';
}

/** The platform's id of the message whose status a notification is; empty: unknown; null: it is none. @param body as workflows get it */
export function messageOfReceipt(body: unknown): string | null {
  const { kind, message_id: id } = (body ?? {}) as { kind?: unknown; message_id?: unknown };
  if (kind !== 'status') return null;
  return typeof id === 'string' ? id : '';
}
