import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import * as z from 'zod';
import { faultSchema } from '../calls/calls.ts';
import { changeSettings } from '../change-settings.ts';
import { describe, readChat, recordStatus } from '../delivery/statuses.ts';
import { HandshakeFailed, subscribe } from '../delivery/subscribe.ts';
import { BadRequest, sendJson } from '../http/exchange.ts';
import { newObjectId } from '../ids.ts';
import type { Message } from '../model.ts';
import { settingsSchema } from '../settings.ts';
import { chatKey, resetWorld, type World } from '../world.ts';
import { accountRoutes, templateRoutes } from './account-routes.ts';
import { type ControlRoutes, readControl, readControlBody } from './control-routes.ts';
import { customer, customerRoutes, showMessage } from './customer-routes.ts';
import { tokenRoutes } from './token-routes.ts';

const readSchema = z.strictObject({ customer, phone_number_id: z.string() });

const statusSchema = z.strictObject({
  status: z.enum(['sent', 'delivered', 'read', 'played', 'failed']),
  error_code: z.number().int().default(131026),
  details: z.string().default('Forced by the control API.'),
});

/** Messages: what customers received, and whether they read it. */
const messageRoutes: ControlRoutes = {
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

const clockSchema = z.strictObject({
  move_seconds: z.number().optional(),
  now: z.iso.datetime({ offset: true }).optional(),
});

const subscriptionSchema = z.strictObject({
  callback_url: z.string(),
  verify_token: z.string(),
  account_id: z.string().nullable().default(null),
});

const showClock = ({ clock }: World) => ({
  now: new Date(clock.nowMs()).toISOString(),
  offset_seconds: clock.offsetMs / 1000,
});

/** The control API under `/__sandbox`, by method and path; `:id` is passed as `id`. */
const CONTROL_ROUTES: ControlRoutes = {
  ...tokenRoutes,
  ...messageRoutes,
  ...customerRoutes,
  ...accountRoutes,
  ...templateRoutes,
  'GET clock': ({ world }) => showClock(world),
  'POST clock': ({ world, body }) => {
    const { move_seconds: seconds, now } = readControl(clockSchema, body);
    if (now !== undefined) world.clock.offsetMs = Date.parse(now) - Date.now();
    world.clock.move((seconds ?? 0) * 1000);
    world.changes.emit('change', null);
    return showClock(world);
  },
  'GET settings': ({ world }) => world.settings,
  'POST settings': ({ world, body }) => {
    changeSettings(world, readControl(settingsSchema.partial(), body));
    return world.settings;
  },
  'POST reset': ({ world }) => {
    resetWorld(world);
    return { success: true };
  },
  'GET faults': ({ world }) => ({ data: world.faults }),
  'POST faults': ({ world, body }) => {
    const fault = readControl(faultSchema, body);
    const added = { ...fault, id: newObjectId(), left: fault.times };
    world.faults.push(added);
    return added;
  },
  'DELETE faults': ({ world }) => {
    world.faults.length = 0;
    return { success: true };
  },
  'GET calls': ({ world, query }) => {
    const { total, entries } = world.calls;
    const matching = entries.filter(
      (call) =>
        (query.get('path') === null || call.path.includes(query.get('path') ?? '')) &&
        (query.get('method') === null || call.method === query.get('method')) &&
        (query.get('target') === null || call.target === query.get('target')),
    );
    return { total, count: matching.length, data: matching };
  },
  'GET subscriptions': ({ world }) => ({ data: [...world.subscriptions.values()] }),
  'POST subscriptions': async ({ world, body }) => {
    const {
      callback_url: callbackUrl,
      verify_token: verifyToken,
      account_id: accountId,
    } = readControl(subscriptionSchema, body);
    try {
      return await subscribe(world, { callbackUrl, verifyToken, accountId, source: 'control', fields: null });
    } catch (error) {
      if (error instanceof HandshakeFailed) throw new BadRequest(`callback_url: ${error.message}`);
      throw error;
    }
  },
  'DELETE subscriptions/:id': ({ world, id }) => ({ success: world.subscriptions.delete(id) }),
  'GET notifications': ({ world }) => ({ count: world.notifications.length, data: world.notifications }),
};

const PREFIX = '/__sandbox/';

/** Answers `/__sandbox/…`. */
export async function handleControl(
  world: World,
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const path = decodeURIComponent(url.pathname.slice(PREFIX.length)).replace(/\/$/, '');
  const found = findRoute(`${request.method} ${path}`);
  if (!found) {
    const known = Object.keys(CONTROL_ROUTES).map((route) => route.replace(' ', ` ${PREFIX}`));
    return sendJson(response, 404, { error: `There is no ${request.method} ${PREFIX}${path}.`, known });
  }
  try {
    const body = await readControlBody(request);
    sendJson(
      response,
      200,
      await found.handler({ world, provider, query: url.searchParams, id: found.id, body }),
    );
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    sendJson(response, error.status, { error: error.message });
  }
}

function findRoute(call: string) {
  for (const [route, handler] of Object.entries(CONTROL_ROUTES)) {
    const [before = '', after] = route.split(':id');
    if (after === undefined && call === route) return { handler, id: '' };
    const fits =
      after !== undefined &&
      call.length > before.length + after.length &&
      call.startsWith(before) &&
      call.endsWith(after);
    if (fits) return { handler, id: call.slice(before.length, call.length - after.length) };
  }
  return null;
}
