import { keepMedia } from '../keep-media.ts';
import { newMessageId } from '../ids.ts';
import type { Media, Message, Rendered } from '../model.ts';
import { hidesNumber, userIdOf } from '../user-ids.ts';
import { addMessage, type World } from '../world.ts';
import { notifyMessage } from './notifications.ts';

/** What a customer can send: words, a tap on a quick reply, or a picture. */
export type CustomerContent =
  | { type: 'text'; text: string }
  | { type: 'button'; text: string; payload: string; repliesTo: string | null }
  | { type: 'image'; bytes: Buffer; mimeType: string; caption: string };

const EMPTY: Rendered = { header: null, media: null, text: '', footer: null, buttons: [], linkPreview: null };

/** A message from a customer to a business number: it opens the 24-hour window and goes out as a notification. */
export function receiveFromCustomer(
  world: World,
  input: { customer: string; phoneId: string; content: CustomerContent },
): Message {
  const { customer, phoneId, content } = input;
  const id = newMessageId(customer);
  const media =
    content.type === 'image'
      ? keepMedia(world, { phoneId, mimeType: content.mimeType, filename: null, bytes: content.bytes })
      : null;
  const message: Message = {
    kind: 'message',
    id,
    direction: 'in',
    phoneId,
    customer,
    type: content.type,
    payload: {
      ...(hidesNumber(world, customer) ? {} : { from: customer }),
      from_user_id: userIdOf(customer),
      id,
      timestamp: String(world.clock.nowSeconds()),
      ...payloadOf(world, phoneId, content, media),
    },
    rendered: {
      ...EMPTY,
      text: content.type === 'image' ? content.caption : content.text,
      media: media ? { kind: 'image', mediaId: media.id, filename: null } : null,
    },
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

function payloadOf(
  world: World,
  phoneId: string,
  content: CustomerContent,
  media: Media | null,
): Record<string, unknown> {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: { body: content.text } };
    case 'button': {
      const from = world.phones.get(phoneId)?.displayPhoneNumber.replaceAll(/\D/g, '');
      const context = content.repliesTo === null ? {} : { context: { from, id: content.repliesTo } };
      return { ...context, type: 'button', button: { payload: content.payload, text: content.text } };
    }
    case 'image':
      return {
        type: 'image',
        image: {
          id: media?.id,
          mime_type: content.mimeType,
          sha256: media?.sha256,
          ...(content.caption === '' ? {} : { caption: content.caption }),
        },
      };
  }
}
