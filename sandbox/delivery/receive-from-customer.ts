import { newMessageId } from '../ids.ts';
import { keepMedia } from '../keep-media.ts';
import { EMPTY_MESSAGE, type Message, type Phone } from '../model.ts';
import { PRODUCT } from '../product.ts';
import { hidesNumber, userIdOf } from '../user-ids.ts';
import { addMessage, customerName, type World } from '../world.ts';
import { type CustomerContent, payloadOf, renderContent } from './customer-content.ts';
import { metadataOf, notifyMessage } from './notifications.ts';
import { publish } from './publish.ts';

/** A message from a customer to a business number: it opens the 24-hour window and is sent as a notification. */
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

// Coexistence: staff also write in the phone app, and the business gets an echo.

/** A text from staff in the phone app: `smb_message_echoes`. It opens no window and has no statuses. */
export function writeFromApp(world: World, phone: Phone, customer: string, text: string): Message {
  const metadata = metadataOf(phone);
  const isHidden = hidesNumber(world, customer);
  const payload = {
    from: metadata.display_phone_number,
    ...(isHidden ? {} : { to: customer }),
    to_user_id: userIdOf(customer),
    id: newMessageId(customer),
    timestamp: String(world.clock.nowSeconds()),
    type: 'text',
    text: { body: text },
  };
  const message: Message = {
    kind: 'message',
    id: payload.id,
    direction: 'out',
    phoneId: phone.id,
    customer,
    type: 'text',
    payload,
    rendered: { ...EMPTY_MESSAGE, text },
    templateName: null,
    status: 'delivered',
    steps: [],
    seenByBusiness: true,
    acceptedAt: world.clock.nowMs(),
  };
  addMessage(world, message);
  const ids = { ...(isHidden ? {} : { wa_id: customer }), user_id: userIdOf(customer) };
  publish(world, phone.accountId, 'smb_message_echoes', {
    messaging_product: PRODUCT,
    metadata,
    contacts: [{ profile: { name: customerName(world, customer) }, ...ids }],
    message_echoes: [payload],
  });
  return message;
}
