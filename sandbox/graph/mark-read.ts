import type { Message, Phone } from '../model.ts';
import { MESSAGING_SCOPE } from '../product.ts';
import { chatKey, type World } from '../world.ts';
import { assertScope } from './access.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { GraphError } from '../graph-error.ts';
import { markReadSchema } from './message-schema.ts';
import { parseBody } from './parse-body.ts';

const TYPING_MS = 25_000;

/** `POST /{phone}/messages` with `status: read`: the customer sees a read receipt on it and all before it. */
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
