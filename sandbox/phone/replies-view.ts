// The buttons of a message for the customer.
import { escapeHtml } from '../http/html.ts';
import type { Message, RenderedButton, RenderedList } from '../model.ts';
import { ICONS } from './icons.ts';

const EMOJIS = ['👍', '❤️', '😂'];

/** The target of a form, and its message. */
const formOf = (customer: string, phoneId: string, action: string, fields: Record<string, string>): string =>
  `<form method="post" action="/phone/${customer}/${action}" data-answer>
<input type="hidden" name="with" value="${phoneId}">${Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')}`;

/** The buttons and the list of a message. */
export function renderReplies(message: Message, customer: string, phoneId: string): string {
  const { buttons, list } = message.rendered;
  const shown = buttons.map((button) => renderButton(button, message, customer, phoneId));
  if (list) shown.push(renderList(list, message, customer, phoneId));
  return shown.length === 0 ? '' : `<div class="replies">${shown.join('\n')}</div>`;
}

function renderButton(button: RenderedButton, message: Message, customer: string, phoneId: string): string {
  const { type, target, payload } = button;
  const text = escapeHtml(button.text);
  const fields = { message_id: message.id, text: button.text, payload };
  switch (type) {
    case 'URL':
      return `<a class="reply" href="${escapeHtml(target)}" target="_blank" rel="noreferrer" title="${escapeHtml(target)}">${ICONS.link}${text}</a>`;
    case 'COPY_CODE':
      return `<span class="reply" title="${escapeHtml(target)}">${text}</span>`;
    case 'PHONE_NUMBER':
      return `<a class="reply" href="tel:${escapeHtml(target)}">${ICONS.call}${text}</a>`;
    case 'ASK': {
      const what = payload === 'contacts' || payload === 'flow' ? payload : 'location';
      const asked = { what, message_id: message.id, ...SHARED[what], phone: customer, flow_token: target };
      const icon = { contacts: ICONS.contact, flow: ICONS.list, location: ICONS.place }[what];
      return `${formOf(customer, phoneId, 'share', asked)}
<button class="reply">${icon}${text}</button></form>`;
    }
    case 'REPLY':
    case 'QUICK_REPLY': {
      const from: Record<string, string> = type === 'REPLY' ? { from: 'button_reply' } : {};
      return `${formOf(customer, phoneId, 'tap', { ...fields, ...from })}
<button class="reply">${ICONS.reply}${text}</button></form>`;
    }
  }
}

/** Items that the phone shares on request. */
const SHARED = {
  location: { latitude: '52.5163', longitude: '13.3777', name: 'Brandenburg Gate' },
  contacts: { name: 'My number' },
  flow: {},
};

function renderList(list: RenderedList, message: Message, customer: string, phoneId: string): string {
  const sections = list.sections.map(({ title, rows }) => {
    const shown = rows.map(({ id, title: text, description }) => {
      const fields = { message_id: message.id, from: 'list_reply', payload: id, text, description };
      const small = description === '' ? '' : `<small>${escapeHtml(description)}</small>`;
      return `<li>${formOf(customer, phoneId, 'tap', fields)}<button class="row">${escapeHtml(text)}${small}</button></form></li>`;
    });
    const heading = title === '' ? '' : `<h3>${escapeHtml(title)}</h3>`;
    return `${heading}<ul>${shown.join('')}</ul>`;
  });
  return `<details class="list"><summary class="reply">${ICONS.list}${escapeHtml(list.button)}</summary>
<div class="sheet">${sections.join('')}</div></details>`;
}

/** Reactions to a message of the business. */
export function renderReactions(message: Message, customer: string, phoneId: string): string {
  const forms = EMOJIS.map(
    (emoji) =>
      `${formOf(customer, phoneId, 'react', { message_id: message.id, emoji })}<button aria-label="React with ${emoji}">${emoji}</button></form>`,
  );
  return `<div class="reactions">${forms.join('')}</div>`;
}
