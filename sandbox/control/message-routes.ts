import { z } from 'zod';
import { receiveFromCustomer } from '../delivery/receive-from-customer.ts';
import { describe, readChat, recordStatus } from '../delivery/statuses.ts';
import { BadRequest } from '../http/exchange.ts';
import type { Message } from '../model.ts';
import { chatKey, type World } from '../world.ts';
import { type ControlRoutes, readControl } from './control-routes.ts';
import { showMessage } from './show-message.ts';

const customer = z.string().regex(/^\d{7,15}$/, 'must be 7 to 15 digits, no plus');

const sendSchema = z.strictObject({
  customer,
  phone_number_id: z.string(),
  name: z.string().optional(),
  /** Businesses are told the user id of this customer from now on, and no number. */
  hides_number: z.boolean().optional(),
  text: z.string().min(1).optional(),
  button: z
    .strictObject({ text: z.string(), payload: z.string().optional(), message_id: z.string().optional() })
    .optional(),
  /** A picture as base64. */
  image: z
    .strictObject({
      base64: z.string(),
      mime_type: z.string().default('image/png'),
      caption: z.string().default(''),
    })
    .optional(),
});

const readSchema = z.strictObject({ customer, phone_number_id: z.string() });

const statusSchema = z.strictObject({
  status: z.enum(['sent', 'delivered', 'read', 'failed']),
  error_code: z.number().int().default(131026),
  details: z.string().default('Forced by the control API.'),
});

/** Messages: what customers received, and what they do. */
export const messageRoutes: ControlRoutes = {
  'GET messages': ({ world, query }) => {
    const data = listMessages(world, query).map(showMessage);
    return { count: data.length, data };
  },
  'GET messages/:id': ({ world, id }) => showMessage(getMessage(world, id)),
  'POST messages/:id/status': ({ world, id, body }) => {
    const message = getMessage(world, id);
    const { status, error_code: code, details } = readControl(statusSchema, body);
    recordStatus(world, message, status, status === 'failed' ? [describe(code, details)] : undefined);
    return showMessage(message);
  },
  'POST customer-messages': ({ world, body }) => {
    const { name, hides_number: hidesNumber, ...input } = readControl(sendSchema, body);
    assertPhone(world, input.phone_number_id);
    if (name !== undefined) world.customerNames.set(input.customer, name);
    if (hidesNumber === true) world.customersWithUsername.add(input.customer);
    if (hidesNumber === false) world.customersWithUsername.delete(input.customer);
    const target = { customer: input.customer, phoneId: input.phone_number_id };
    return showMessage(receiveFromCustomer(world, { ...target, content: contentOf(input) }));
  },
  'POST customer-reads': ({ world, body }) => {
    const { customer: reader, phone_number_id: phoneId } = readControl(readSchema, body);
    readChat(world, world.chats.get(chatKey(phoneId, reader)) ?? []);
    return { success: true };
  },
};

function contentOf({ text, button, image }: z.infer<typeof sendSchema>) {
  if (button) {
    return {
      type: 'button' as const,
      text: button.text,
      payload: button.payload ?? button.text,
      repliesTo: button.message_id ?? null,
    };
  }
  if (image) {
    const { base64, mime_type: mimeType, caption } = image;
    return { type: 'image' as const, bytes: Buffer.from(base64, 'base64'), mimeType, caption };
  }
  if (text === undefined) throw new BadRequest('body: one of text, button and image is required');
  return { type: 'text' as const, text };
}

function listMessages(world: World, query: URLSearchParams): Message[] {
  const wanted: [string, (message: Message) => string | null][] = [
    ['to', ({ customer: to }) => to],
    ['phone_number_id', ({ phoneId }) => phoneId],
    ['direction', ({ direction }) => direction],
    ['type', ({ type }) => type],
    ['template_name', ({ templateName }) => templateName],
    ['status', ({ status }) => status],
  ];
  const filters = wanted.filter(([name]) => query.get(name) !== null);
  return [...world.messages.values()].filter((message) =>
    filters.every(([name, read]) => read(message) === query.get(name)),
  );
}

function getMessage(world: World, id: string): Message {
  const message = world.messages.get(id);
  if (!message) throw new BadRequest(`There is no message with the id ${id}.`, 404);
  return message;
}

function assertPhone(world: World, id: string): void {
  if (!world.phones.has(id))
    throw new BadRequest(`phone_number_id: there is no phone number with the id ${id}.`, 404);
}
