import { z } from 'zod';
import { describe, readChat, recordStatus } from '../delivery/statuses.ts';
import { BadRequest } from '../http/exchange.ts';
import type { Message } from '../model.ts';
import { chatKey, type World } from '../world.ts';
import { type ControlRoutes, readControl } from './control-routes.ts';
import { customer } from './customer-routes.ts';
import { showMessage } from './show-message.ts';

const readSchema = z.strictObject({ customer, phone_number_id: z.string() });

const statusSchema = z.strictObject({
  status: z.enum(['sent', 'delivered', 'read', 'played', 'failed']),
  error_code: z.number().int().default(131026),
  details: z.string().default('Forced by the control API.'),
});

/** Messages: what customers received, and whether they read it. */
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
  'POST customer-reads': ({ world, body }) => {
    const { customer: reader, phone_number_id: phoneId } = readControl(readSchema, body);
    readChat(world, world.chats.get(chatKey(phoneId, reader)) ?? []);
    return { success: true };
  },
};

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
