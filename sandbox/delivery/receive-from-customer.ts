import { keepMedia } from '../keep-media.ts';
import { newMessageId } from '../ids.ts';
import type { Message } from '../model.ts';
import { hidesNumber, userIdOf } from '../user-ids.ts';
import { addMessage, type World } from '../world.ts';
import { type CustomerContent, payloadOf, renderContent } from './customer-content.ts';
import { notifyMessage } from './notifications.ts';

/** A message from a customer to a business number: it opens the 24-hour window and goes out as a notification. */
export function receiveFromCustomer(
  world: World,
  input: { customer: string; phoneId: string; content: CustomerContent },
): Message {
  const { customer, phoneId, content } = input;
  const id = newMessageId(customer);
  const media =
    content.type === 'media'
      ? keepMedia(world, {
          phoneId,
          mimeType: content.mimeType,
          filename: content.filename,
          bytes: content.bytes,
          receivedAt: world.clock.nowMs(),
        })
      : null;
  const business = world.phones.get(phoneId)?.displayPhoneNumber.replaceAll(/\D/g, '') ?? '';
  const payload: Record<string, unknown> = {
    ...(hidesNumber(world, customer) ? {} : { from: customer }),
    from_user_id: userIdOf(customer),
    id,
    timestamp: String(world.clock.nowSeconds()),
    ...payloadOf(content, media, business),
  };
  const message: Message = {
    kind: 'message',
    id,
    direction: 'in',
    phoneId,
    customer,
    type: String(payload['type']),
    payload,
    rendered: renderContent(content, media),
    templateName: null,
    status: 'delivered',
    steps: [],
    seenByBusiness: false,
    acceptedAt: world.clock.nowMs(),
  };
  addMessage(world, message);
  notifyMessage(world, message);
  return message;
}
