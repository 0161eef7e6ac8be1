import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CustomerContent } from '../delivery/customer-content.ts';
import { setHidesNumber, setMarketing } from '../delivery/customer-settings.ts';
import { receiveFromCustomer } from '../delivery/receive-from-customer.ts';
import { readChat } from '../delivery/statuses.ts';
import { readSample } from '../graph/fetch-media.ts';
import { bareMimeType } from '../graph/media-rules.ts';
import { BadRequest, parseForm, readBody, redirect, sendHtml, textOf } from '../http/exchange.ts';
import type { Phone, SentMediaKind } from '../model.ts';
import { isCustomerNumber, NUMBER_PATTERN } from '../user-ids.ts';
import { chatKey, resetWorld, type World } from '../world.ts';
import { listChats, renderHome, renderPhone } from './pages.ts';

const PATH = new RegExp(`^/phone/\\+?(${NUMBER_PATTERN})(?:/(send|tap|read|share|react|settings))?$`);

/** Answers `/`, `/phone/{customer}` with its forms, `/chats`, `/reset` and `/phone-media/{id}`; false for anything else. */
export async function handlePhone(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<boolean> {
  const { pathname: path, searchParams: query } = url;
  const post = request.method === 'POST';
  if (path === '/' && !post) {
    sendHtml(response, 200, renderHome(world, query.has('reset')));
  } else if (path === '/reset' && post) {
    resetWorld(world);
    redirect(response, '/?reset=1');
  } else if (path === '/chats' && post) {
    const form = await readForm(request);
    const customer = textOf(form, 'customer').replaceAll(/\D/g, '');
    if (!isCustomerNumber(customer)) throw new BadRequest('The customer’s number must have 7 to 15 digits.');
    answer(world, customer, getPhone(world, textOf(form, 'with')), {
      type: 'text',
      text: textOf(form, 'text') || 'Hello!',
    });
    redirect(response, `/phone/${customer}?with=${textOf(form, 'with')}`);
  } else if (path.startsWith('/phone-media/') && !post) {
    sendMedia(world, response, path.slice('/phone-media/'.length));
  } else {
    const [matched, customer = '', action] = PATH.exec(path) ?? [];
    if (matched === undefined || post !== (action !== undefined)) return false;
    if (post) await act(world, request, response, customer, action ?? '');
    else
      sendHtml(response, 200, renderPhone(world, customer, choosePhone(world, customer, query.get('with'))));
  }
  return true;
}

async function act(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  customer: string,
  action: string,
): Promise<void> {
  const form = await readForm(request);
  const phone = getPhone(world, textOf(form, 'with'));
  if (action === 'read') readChat(world, world.chats.get(chatKey(phone.id, customer)) ?? []);
  else if (action === 'settings') changeSettings(world, customer, phone, form);
  else {
    const content = action === 'send' ? await readSent(form) : await readTapped(form, action);
    if (content !== null) answer(world, customer, phone, content);
  }
  redirect(response, `/phone/${customer}?with=${phone.id}`);
}

function changeSettings(world: World, customer: string, phone: Phone, form: FormData): void {
  const [name, value] = [textOf(form, 'name'), textOf(form, 'value')];
  if (name === 'number') setHidesNumber(world, customer, value === 'hide');
  else if (name === 'marketing') setMarketing(world, phone, customer, value === 'stop' ? 'stop' : 'resume');
}

/** Replying means that the chat is open, so that its messages were read. */
function answer(world: World, customer: string, phone: Phone, content: CustomerContent): void {
  readChat(world, world.chats.get(chatKey(phone.id, customer)) ?? []);
  receiveFromCustomer(world, { customer, phoneId: phone.id, content });
}

async function readForm(request: IncomingMessage): Promise<FormData> {
  return parseForm(await readBody(request), request.headers['content-type'] ?? '');
}

function getPhone(world: World, id: string): Phone {
  const phone = world.phones.get(id);
  if (!phone) throw new BadRequest(`There is no business number with the id ${id}.`, 404);
  return phone;
}

/** The requested number, else that of the customer's latest chat, else the first one. */
function choosePhone(world: World, customer: string, asked: string | null): Phone {
  if (asked !== null) return getPhone(world, asked);
  const latest = listChats(world).find((row) => row.customer === customer);
  const phone = latest?.phone ?? world.phones.values().next().value;
  if (!phone) throw new BadRequest('There are no business numbers.', 404);
  return phone;
}

function sendMedia(world: World, response: ServerResponse, id: string): void {
  const media = world.media.get(id);
  if (!media) throw new BadRequest('This file no longer exists.', 404);
  response.writeHead(200, {
    'content-type': media.mimeType,
    'content-length': media.sizeBytes,
    'x-content-type-options': 'nosniff',
  });
  response.end(media.bytes);
}

/** `GET /phone-events`: server-sent events; each has the customer whose chats changed (empty: all). */
export function streamChanges(world: World, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write('retry: 1000\n\n');
  const tell = (customer: string | null) => response.write(`data: ${customer ?? ''}\n\n`);
  world.changes.on('change', tell);
  request.on('close', () => world.changes.off('change', tell));
}

// The customer's action on the phone's page, from its forms.

/** The composer: a text, or a file with the text as its caption; null for neither. */
async function readSent(form: FormData): Promise<CustomerContent | null> {
  const text = textOf(form, 'text').trim();
  const file = form.get('file');
  if (!(file instanceof File) || file.size === 0) return text === '' ? null : { type: 'text', text };
  const mimeType = bareMimeType(file.type) || 'application/octet-stream';
  return {
    type: 'media',
    kind: kindOf(mimeType),
    bytes: Buffer.from(await file.arrayBuffer()),
    mimeType,
    caption: text,
    filename: file.name,
  };
}

function kindOf(mimeType: string): SentMediaKind {
  const [family] = mimeType.split('/');
  if (mimeType === 'image/webp') return 'sticker';
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'document';
}

/** A tap: a button, a row, a reaction, or a shared item. */
async function readTapped(form: FormData, action: string): Promise<CustomerContent> {
  const repliesTo = textOf(form, 'message_id') || null;
  if (action === 'react')
    return { type: 'reaction', messageId: repliesTo ?? '', emoji: textOf(form, 'emoji') };
  if (action === 'share') return readShared(form, repliesTo);
  const text = textOf(form, 'text');
  const payload = textOf(form, 'payload') || text;
  const from = textOf(form, 'from');
  if (from !== 'button_reply' && from !== 'list_reply') return { type: 'button', text, payload, repliesTo };
  const description = textOf(form, 'description') || undefined;
  return { type: 'reply', from, id: payload, title: text, description, repliesTo };
}

async function readShared(form: FormData, repliesTo: string | null): Promise<CustomerContent> {
  const what = textOf(form, 'what');
  if (what === 'sticker')
    return { type: 'media', kind: 'sticker', ...(await readSample('sticker')), caption: '', filename: null };
  if (what === 'flow') {
    const token = textOf(form, 'flow_token');
    const response = { ...(token === '' ? {} : { flow_token: token }), answer: 'Yes' };
    return { type: 'flow', response, repliesTo };
  }
  const name = textOf(form, 'name').trim() || undefined;
  if (what === 'contacts') {
    const phone = textOf(form, 'phone').replaceAll(/\D/g, '');
    if (!isCustomerNumber(phone)) throw new BadRequest('The contact’s number must have 7 to 15 digits.');
    return { type: 'contacts', name: name ?? `+${phone}`, phone, wasAsked: repliesTo !== null };
  }
  const [latitude, longitude] = [Number(textOf(form, 'latitude')), Number(textOf(form, 'longitude'))];
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude))
    throw new BadRequest('The location must have a latitude and a longitude.');
  return {
    type: 'location',
    latitude,
    longitude,
    name,
    address: textOf(form, 'address') || undefined,
    repliesTo,
  };
}
