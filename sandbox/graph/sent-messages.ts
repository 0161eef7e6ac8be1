import { GraphError, unknownObject } from '../graph-error.ts';
import type { Message, Phone } from '../model.ts';
import { MESSAGING_SCOPE, PRODUCT } from '../product.ts';
import { chatKey, type World } from '../world.ts';
import { assertScope } from './access.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { markReadSchema } from './message-schema.ts';
import { parseBody } from './read-input.ts';

/** `GET /{message}`: the last status and its Unix timestamp, with `errors` if it failed. */
export function showMessageStatus(call: GraphCall, message: Message): GraphAnswer {
  assertScope(call, MESSAGING_SCOPE);
  if (message.direction === 'in') throw unknownObject(message.id, 'GET');
  const last = message.steps.at(-1);
  return {
    id: message.id,
    messaging_product: PRODUCT,
    recipient_id: message.customer,
    status: last?.status ?? (message.heldFor === undefined ? 'sent' : 'held_for_quality_assessment'),
    timestamp: String(last?.timestampSeconds ?? Math.floor(message.acceptedAt / 1000)),
    ...(last?.errors ? { errors: last.errors } : {}),
  };
}

/** `GET /{phone}/message_history?message_id=…`: the statuses of a message that the number sent, oldest first. */
export function listMessageHistory(call: GraphCall, phone: Phone): GraphAnswer {
  assertScope(call, MESSAGING_SCOPE);
  const id = call.query.get('message_id');
  if (id === null) throw new GraphError(100, '', { message: '(#100) The parameter message_id is required' });
  const message = call.world.messages.get(id);
  if (message?.direction !== 'out' || message.phoneId !== phone.id) return { data: [] };
  const accepted = { delivery_status: 'ACCEPTED', timestamp: Math.floor(message.acceptedAt / 1000) };
  const events = message.steps.map(({ status, timestampSeconds, errors }) => ({
    delivery_status: status.toUpperCase(),
    timestamp: timestampSeconds,
    ...(errors?.[0] ? { error_description: `${errors[0].title}: ${errors[0].error_data.details}` } : {}),
  }));
  return { data: [{ id, message_id: id, events: { data: [accepted, ...events] } }] };
}

const TYPING_MS = 25_000;

/** `POST /{phone}/messages` with `status: read`: marks it and all earlier ones as read. */
export function markAsRead(call: GraphCall, phone: Phone): GraphAnswer {
  assertScope(call, MESSAGING_SCOPE);
  const { message_id: id, typing_indicator: typing } = parseBody(markReadSchema, call.body);
  const { world } = call;
  const message = world.messages.get(id);
  if (!message || message.direction !== 'in' || message.phoneId !== phone.id) {
    throw new GraphError(
      131009,
      `Param message_id: "${id}" is not a message that this phone number received.`,
    );
  }
  for (const earlier of world.chats.get(chatKey(phone.id, message.customer)) ?? []) {
    if (earlier.direction === 'in') earlier.seenByBusiness = true;
    if (earlier === message) break;
  }
  if (typing) showTyping(world, message);
  world.changes.emit('change', message.customer);
  return { success: true };
}

/** Until the business's next message, at most 25 seconds. */
function showTyping(world: World, { phoneId, customer }: Message): void {
  world.typing.set(chatKey(phoneId, customer), world.clock.nowMs() + TYPING_MS);
  world.timers.after(TYPING_MS + 50, () => world.changes.emit('change', customer));
}
