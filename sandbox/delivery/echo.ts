// Coexistence: staff also write in the phone app, and the business gets an echo.
import { newMessageId } from '../ids.ts';
import { EMPTY_MESSAGE, type Message, type Phone } from '../model.ts';
import { PRODUCT } from '../product.ts';
import { hidesNumber, userIdOf } from '../user-ids.ts';
import { addMessage, customerName, type World } from '../world.ts';
import { metadataOf } from './notifications.ts';
import { publish } from './publish.ts';

/** A text that staff sent from the phone app: `smb_message_echoes`. It opens no window and has no statuses. */
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
