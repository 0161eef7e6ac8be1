import * as z from 'zod';
import type { CustomerContent } from '../delivery/customer-content.ts';
import { changeNumber, setHidesNumber, setMarketing } from '../delivery/customer-settings.ts';
import { receiveFromCustomer, writeFromApp } from '../delivery/receive-from-customer.ts';
import { BadRequest } from '../http/exchange.ts';
import type { Message, Phone } from '../model.ts';
import { isCustomerNumber } from '../user-ids.ts';
import type { World } from '../world.ts';
import { type ControlRoutes, readControl } from './control-routes.ts';

export const customer = z.string().refine(isCustomerNumber, 'must be 7 to 15 digits, no plus');
const messageId = z.string();

/** A customer's message: one of these. */
const CONTENTS = {
  text: z.string().min(1),
  button: z.strictObject({
    text: z.string(),
    payload: z.string().optional(),
    message_id: messageId.optional(),
  }),
  /** A reply button; with `description` or `is_row` a row of a list. */
  reply: z.strictObject({
    id: z.string(),
    title: z.string(),
    description: z.string().optional(),
    is_row: z.boolean().default(false),
    message_id: messageId.optional(),
  }),
  image: z.strictObject({
    base64: z.string(),
    mime_type: z.string().default('image/png'),
    caption: z.string().default(''),
  }),
  media: z.strictObject({
    kind: z.enum(['image', 'video', 'audio', 'document', 'sticker']),
    base64: z.string(),
    mime_type: z.string(),
    caption: z.string().default(''),
    filename: z.string().optional(),
  }),
  location: z.strictObject({
    latitude: z.number(),
    longitude: z.number(),
    name: z.string().optional(),
    address: z.string().optional(),
    message_id: messageId.optional(),
  }),
  contact: z.strictObject({ name: z.string(), phone: customer, was_asked: z.boolean().default(false) }),
  reaction: z.strictObject({ message_id: messageId, emoji: z.string().default('') }),
  order: z.strictObject({
    catalog_id: z.string(),
    text: z.string().default(''),
    items: z.array(
      z.strictObject({
        product_retailer_id: z.string(),
        quantity: z.number(),
        item_price: z.number(),
        currency: z.string(),
      }),
    ),
  }),
  flow: z.strictObject({ response: z.looseObject({}), message_id: messageId.optional() }),
  edit: z.strictObject({ message_id: messageId, text: z.string() }),
  revoke: z.strictObject({ message_id: messageId }),
  unsupported: z.strictObject({ kind: z.string().default('poll') }),
} as const;

const sendSchema = z.strictObject({
  customer,
  phone_number_id: z.string(),
  name: z.string().optional(),
  /** Businesses get this customer's user id instead of the number. */
  hides_number: z.boolean().optional(),
  /** The message that a text answers. */
  reply_to: messageId.optional(),
  ...(Object.fromEntries(Object.entries(CONTENTS).map(([name, schema]) => [name, schema.optional()])) as {
    [Name in keyof typeof CONTENTS]: z.ZodOptional<(typeof CONTENTS)[Name]>;
  }),
});

const marketingSchema = z.strictObject({
  customer,
  phone_number_id: z.string(),
  marketing: z.enum(['stop', 'resume']),
});
const echoSchema = z.strictObject({ customer, phone_number_id: z.string(), text: z.string().min(1) });
const settingsSchema = z.strictObject({ customer, hides_number: z.boolean() });
const numberSchema = z.strictObject({ customer, number: customer });

/** Actions of customers, and messages of staff in the phone app. */
export const customerRoutes: ControlRoutes = {
  'POST customer-messages': ({ world, body }) => {
    const input = readControl(sendSchema, body);
    const phone = getPhone(world, input.phone_number_id);
    if (input.name !== undefined) world.customerNames.set(input.customer, input.name);
    if (input.hides_number !== undefined) setHidesNumber(world, input.customer, input.hides_number);
    const content = contentOf(input);
    return showMessage(receiveFromCustomer(world, { customer: input.customer, phoneId: phone.id, content }));
  },
  'POST echoes': ({ world, body }) => {
    const input = readControl(echoSchema, body);
    return showMessage(
      writeFromApp(world, getPhone(world, input.phone_number_id), input.customer, input.text),
    );
  },
  'POST customer-marketing': ({ world, body }) => {
    const input = readControl(marketingSchema, body);
    setMarketing(world, getPhone(world, input.phone_number_id), input.customer, input.marketing);
    return { success: true };
  },
  'POST customer-settings': ({ world, body }) => {
    const input = readControl(settingsSchema, body);
    setHidesNumber(world, input.customer, input.hides_number);
    return { success: true };
  },
  'POST customer-numbers': ({ world, body }) => {
    const input = readControl(numberSchema, body);
    changeNumber(world, input.customer, input.number);
    return { success: true };
  },
};

function contentOf(input: z.infer<typeof sendSchema>): CustomerContent {
  const { text, button, reply, image, media, location, contact, reaction, order, flow } = input;
  if (button) {
    const { text: label, payload = label, message_id: repliesTo = null } = button;
    return { type: 'button', text: label, payload, repliesTo };
  }
  if (reply) {
    const { id, title, description, is_row: isRow, message_id: repliesTo = null } = reply;
    const from = isRow || description !== undefined ? 'list_reply' : 'button_reply';
    return { type: 'reply', from, id, title, description, repliesTo };
  }
  if (image) return mediaOf({ kind: 'image', ...image });
  if (media) return mediaOf(media);
  if (location) {
    const { message_id: repliesTo = null, ...place } = location;
    return { type: 'location', ...place, repliesTo };
  }
  if (contact)
    return { type: 'contacts', name: contact.name, phone: contact.phone, wasAsked: contact.was_asked };
  if (reaction) return { type: 'reaction', messageId: reaction.message_id, emoji: reaction.emoji };
  if (order) return { type: 'order', catalogId: order.catalog_id, text: order.text, items: order.items };
  if (flow) return { type: 'flow', response: flow.response, repliesTo: flow.message_id ?? null };
  if (input.edit) return { type: 'edit', messageId: input.edit.message_id, text: input.edit.text };
  if (input.revoke) return { type: 'revoke', messageId: input.revoke.message_id };
  if (input.unsupported) return { type: 'unsupported', kind: input.unsupported.kind };
  if (text === undefined)
    throw new BadRequest(`body: one of ${Object.keys(CONTENTS).join(', ')} is required`);
  return { type: 'text', text, repliesTo: input.reply_to ?? null };
}

const mediaOf = ({
  kind,
  base64,
  mime_type: mimeType,
  caption,
  filename = null,
}: Omit<z.infer<typeof CONTENTS.media>, 'filename'> & {
  filename?: string | undefined | null;
}): CustomerContent => ({
  type: 'media',
  kind,
  bytes: Buffer.from(base64, 'base64'),
  mimeType,
  caption,
  filename,
});

function getPhone(world: World, id: string): Phone {
  const phone = world.phones.get(id);
  if (!phone) throw new BadRequest(`phone_number_id: there is no phone number with the id ${id}.`, 404);
  return phone;
}

/** A message for the control API. */
export function showMessage(message: Message): object {
  return {
    id: message.id,
    direction: message.direction,
    phone_number_id: message.phoneId,
    customer: message.customer,
    type: message.type,
    template_name: message.templateName,
    text: message.rendered.text,
    rendered: message.rendered,
    payload: message.payload,
    status: message.status,
    statuses: message.steps.map(({ status, timestampSeconds, errors }) => ({
      status,
      timestamp: timestampSeconds,
      errors,
    })),
    seen_by_business: message.direction === 'in' ? message.seenByBusiness : undefined,
    accepted_at: new Date(message.acceptedAt).toISOString(),
    accepted_at_ms: message.acceptedAt,
  };
}
