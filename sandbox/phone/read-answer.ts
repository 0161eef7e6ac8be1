// What the customer did on the phone's page, from its forms.
import { readSample } from '../graph/example-file.ts';
import type { SentMediaKind } from '../model.ts';
import type { CustomerContent } from '../delivery/customer-content.ts';
import { bareMimeType } from '../graph/media-rules.ts';
import { BadRequest, textOf } from '../http/exchange.ts';

/** The composer: a text, or a file with the text as its caption; null for neither. */
export async function readSent(form: FormData): Promise<CustomerContent | null> {
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

/** A tap on something: a button, a row, a reaction, or what can be shared. */
export async function readTapped(form: FormData, action: string): Promise<CustomerContent> {
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
    if (!/^\d{7,15}$/.test(phone)) throw new BadRequest('The contact’s number must have 7 to 15 digits.');
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
