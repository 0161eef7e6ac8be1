// Places and contacts, as a phone shows them.
import { escapeHtml } from '../http/html.ts';
import type { Message } from '../model.ts';
import { ICONS } from './icons.ts';

type Place = { latitude: number; longitude: number; name?: string; address?: string };
type Contact = {
  name?: { formatted_name?: string };
  phones?: { phone?: string }[];
  emails?: { email?: string }[];
  org?: { company?: string };
};

/** Empty for other messages. */
export function renderCards({ type, payload }: Message): string {
  if (type === 'location') return renderPlace(payload['location'] as Place);
  if (type === 'contacts') return (payload['contacts'] as Contact[]).map(renderContact).join('');
  return '';
}

function renderPlace({ latitude, longitude, name, address }: Place): string {
  const position = `${latitude}, ${longitude}`;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return `<a class="preview" href="${escapeHtml(map)}" target="_blank" rel="noreferrer">${ICONS.place}<span><b>${escapeHtml(name ?? position)}</b><small>${escapeHtml(address ?? position)}</small></span></a>`;
}

function renderContact({ name, phones = [], emails = [], org }: Contact): string {
  const lines = [org?.company, ...phones.map(({ phone }) => phone), ...emails.map(({ email }) => email)];
  const shown = lines.flatMap((line) => (line ? `<small>${escapeHtml(line)}</small>` : []));
  return `<div class="preview contact">${ICONS.contact}<span><b>${escapeHtml(name?.formatted_name ?? '')}</b>${shown.join('')}</span></div>`;
}
