import { TaskError } from '#lib/engine/task-executor.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { WITHHELD_WORDS } from '#lib/messaging/schema/message-statuses.ts';
import { findMessage, type KnownMessage } from '#lib/messaging/sending/find-message.ts';
import { getMessage, markRead } from '#lib/messaging/platform/messages.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { ActionCall, ActionResult } from './call.ts';

const STATUSES: readonly string[] = ['sent', 'delivered', 'read', 'failed'];

/** Spec, get_message_status; from the platform, else from the notifications that arrived (docs/messaging.md). */
export async function getMessageStatus(call: ActionCall): Promise<ActionResult> {
  const messageId = call.fields.required('message_id');
  const asked = await call.withToken((access) => getMessage(access, messageId)).catch(unlessUntold);
  const known = await findMessage(call.ctx, messageId);
  const data = readStatus(asked) ?? toData(known);
  if (data) return { output: { data }, runText: 'Message status retrieved.' };
  const message = known?.withheld
    ? WITHHELD_WORDS[known.withheld]
    : 'The platform does not report the status of this message, and no notification about it has arrived. Subscribe the connection to notifications.';
  throw new TaskError('status_unknown', message, { details: { message_id: messageId } });
}

/** The platform may not return the message: then notifications may contain it. */
function unlessUntold(error: unknown): undefined {
  const untold =
    error instanceof PlatformError &&
    ['unknown_object', 'parameters', 'permission', 'refused'].includes(error.kind);
  if (!untold) throw error;
  return undefined;
}

function readStatus(answer: JsonObject | undefined): JsonObject | undefined {
  const status = toText(answer?.['status']);
  if (!answer || !STATUSES.includes(status)) return undefined;
  const timestamp = Number(toText(answer['timestamp']));
  return withErrors({ status, timestamp: Number.isFinite(timestamp) ? timestamp : 0 }, answer['errors']);
}

function toData(known: KnownMessage | undefined): JsonObject | undefined {
  // The spec has four statuses: a voice message that was played was read.
  const status = known?.status === 'played' ? 'read' : known?.status;
  if (!known || !status || !STATUSES.includes(status)) return undefined;
  const { statusAt, errors } = known;
  const listed = errors?.map((error) => ({ ...error }));
  return withErrors({ status, timestamp: Math.floor(statusAt.getTime() / 1000) }, listed);
}

const withErrors = (data: JsonObject, errors: JsonValue | undefined): JsonObject =>
  data['status'] === 'failed' && errors !== undefined ? { ...data, errors } : data;

/** Spec, mark_as_read: the customer sees a read receipt. */
export async function markAsRead(call: ActionCall): Promise<ActionResult> {
  const output = await markMessage(call, {});
  return { output, runText: 'Message marked as read.' };
}

type MarkingCall = Pick<ActionCall, 'change'> & {
  fields: { required(field: 'phone_number_id' | 'message_id'): string };
};

/** Marks a customer's message as read. @param isTyping also shows that an answer is being written */
export async function markMessage(
  call: MarkingCall,
  { isTyping = false }: { isTyping?: boolean },
): Promise<{ success: true }> {
  const phoneNumberId = call.fields.required('phone_number_id');
  const messageId = call.fields.required('message_id');
  const also = isTyping ? ', and show that an answer is being written' : '';
  const effect = {
    shown: () => ({ kind: 'change', text: `Mark the message ${messageId} as read${also}.` }),
    instead: () => true,
  };
  const success = await call.change(effect, (access) =>
    markRead(access, phoneNumberId, messageId, { isTyping }),
  );
  if (!success) throw new TaskError('platform_refused', 'The platform did not mark the message as read.');
  return { success };
}
