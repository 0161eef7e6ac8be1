import { wantsMarketing } from '../delivery/customer-settings.ts';
import { escapeHtml, page } from '../http/html.ts';
import type { Message, Phone } from '../model.ts';
import { hidesNumber, NUMBER_PATTERN, userIdOf } from '../user-ids.ts';
import { chatKey, customerName, type World } from '../world.ts';
import { renderThread, showTime } from './chat-view.ts';
import { ICONS, statusIcon } from './icons.ts';

/** `/`: every customer's chats, and a way to write as a new customer. */
export function renderHome(world: World, wasReset = false): string {
  const rows = listChats(world);
  const words = rows.length === 0 ? 'Nothing was sent yet' : 'Select a chat';
  return shell(
    world,
    'Customers’ phones',
    null,
    rows,
    `${wasReset ? '<p class="notice" role="status">The sandbox is back to its demo data. Reconnect its connections in Patchbay: their tokens are gone.</p>' : ''}<div class="phone"><div class="screen empty">
<h2>${words}</h2>
<p>${rows.length === 0 ? 'Messages that a workflow sends show up here, on the phone of the customer who gets them.' : 'Each row is one customer talking to one business number.'}</p>
<p>To open the 24-hour window, write to a business as a customer first.</p>
<a class="jump" href="#new-chat">Write as a customer</a>
</div></div>`,
  );
}

/** `/phone/{customer}`: the phone of one customer, with one chat open. */
export function renderPhone(world: World, customer: string, phone: Phone): string {
  const chat = world.chats.get(chatKey(phone.id, customer)) ?? [];
  const name = customerName(world, customer);
  const content = `<div class="phone" data-chat="${phone.id}" data-customer="${customer}">
<section class="screen" aria-label="Phone of ${escapeHtml(name)}, ${customer}">
<header class="top"><a class="back" href="/" aria-label="All chats">${ICONS.back}</a>
<span class="avatar" aria-hidden="true">${escapeHtml(phone.verifiedName.slice(0, 1))}</span>
<span class="who"><strong>${escapeHtml(phone.verifiedName)}</strong><small>${escapeHtml(phone.displayPhoneNumber)}</small></span>${renderSettings(world, customer, phone)}</header>
${renderThread(world, customer, phone.id, chat)}
${renderComposer(customer, phone.id)}
<noscript><form method="post" action="/phone/${customer}/read"><input type="hidden" name="with" value="${phone.id}"><button>Mark as read</button></form></noscript>
</section></div>
<p class="owner">Phone of <b>${escapeHtml(name)}</b>, +${customer}</p>`;
  return shell(
    world,
    `${phone.verifiedName} on the phone of ${name}`,
    chatKey(phone.id, customer),
    listChats(world),
    content,
  );
}

/** The customer's settings for this chat. */
function renderSettings(world: World, customer: string, phone: Phone): string {
  const isHidden = hidesNumber(world, customer);
  const isStopped = !wantsMarketing(world, phone.id, customer);
  const choice = (name: string, value: string, words: string): string =>
    `<form method="post" action="/phone/${customer}/settings" data-answer><input type="hidden" name="with" value="${phone.id}">
<input type="hidden" name="name" value="${name}"><input type="hidden" name="value" value="${value}"><button>${words}</button></form>`;
  return `<details class="settings"><summary aria-label="Customer’s settings">${ICONS.settings}</summary><div class="menu" id="settings" data-live>
<p>Businesses see <b>${isHidden ? userIdOf(customer) : `+${customer}`}</b></p>
${isHidden ? choice('number', 'show', 'Show my number') : choice('number', 'hide', 'Hide my number')}
${isStopped ? choice('marketing', 'resume', 'Resume marketing messages') : choice('marketing', 'stop', 'Stop marketing messages')}
</div></details>`;
}

function shell(world: World, title: string, open: string | null, rows: ChatRow[], content: string): string {
  const list = rows.map((row) => renderRow(world, row, open));
  return page({
    title: `${title} · Sandbox`,
    styles: ['phone.css', 'bubbles.css'],
    scripts: ['phone.mjs'],
    body: `<div class="layout ${open === null ? 'at-list' : 'at-chat'}">
<nav class="side" aria-label="Chats">
<h1>Sandbox phones</h1>
<p class="hint">What customers received. Clock: <span id="clock" data-live>${new Date(world.clock.nowMs()).toISOString().slice(0, 16).replace('T', ' ')} UTC</span></p>
<ul class="chats" id="chats" data-live>${list.join('\n')}</ul>
${renderNewChat(world)}
${RESET}
</nav>
<main>${content}</main>
</div>`,
  });
}

/** Resets after a confirmation: opened first, then pressed. */
const RESET = `<details class="reset"><summary>Reset the sandbox</summary>
<form method="post" action="/reset"><p>This deletes all messages, message templates, tokens and settings of the sandbox. Connections to it must be reconnected.</p>
<button>Reset the sandbox</button></form></details>`;

function renderRow(world: World, { customer, phone, last, unread }: ChatRow, open: string | null): string {
  const current = chatKey(phone.id, customer) === open ? ' aria-current="page"' : '';
  const text =
    last.rendered.text ||
    last.rendered.header ||
    (last.type === 'sticker' ? 'Sticker' : last.rendered.media?.kind) ||
    last.type;
  const tick = last.direction === 'out' ? statusIcon(last.status) : '';
  return `<li><a href="/phone/${customer}?with=${phone.id}"${current}>
<span class="avatar" aria-hidden="true">${customer.slice(-2)}</span>
<span class="row"><span class="line"><strong>${escapeHtml(customerName(world, customer))}</strong><time>${showTime(last.acceptedAt)}</time></span>
<small>+${customer} with ${escapeHtml(phone.verifiedName)}</small>
<span class="line"><span class="last">${tick}${escapeHtml(text)}</span>${unread > 0 ? `<b class="unread" aria-label="${unread} not read">${unread}</b>` : ''}</span></span></a></li>`;
}

function renderNewChat(world: World): string {
  const phones = [...world.phones.values()].filter(({ status }) => status === 'CONNECTED');
  const options = phones.map(
    ({ id, verifiedName, displayPhoneNumber }) =>
      `<option value="${id}">${escapeHtml(verifiedName)} ${escapeHtml(displayPhoneNumber)}</option>`,
  );
  return `<form class="new-chat" id="new-chat" method="post" action="/chats">
<h2>Write as a customer</h2>
<label>Customer’s number<input name="customer" inputmode="numeric" pattern="\\+?${NUMBER_PATTERN}" required value="15557010123"></label>
<label>To<select name="with">${options.join('')}</select></label>
<label>Message<input name="text" required value="Hello!" autocomplete="off"></label>
<button class="primary">Send</button>
</form>`;
}

/** The composer: text, files and shared items. */
function renderComposer(customer: string, phoneId: string): string {
  const hidden = `<input type="hidden" name="with" value="${phoneId}">`;
  const share = (what: string, words: string, fields: string): string =>
    `<form method="post" action="/phone/${customer}/share" data-answer>${hidden}
<input type="hidden" name="what" value="${what}"><fieldset><legend>${words}</legend>${fields}<button class="primary">Send</button></fieldset></form>`;
  return `<div class="bottom">
<details class="more"><summary aria-label="Share a location, a contact or a sticker">${ICONS.more}</summary><div class="menu">
${share(
  'location',
  'Location',
  `<label>Place<input name="name" value="Brandenburg Gate"></label>
<label>Latitude<input name="latitude" inputmode="decimal" required value="52.5163"></label>
<label>Longitude<input name="longitude" inputmode="decimal" required value="13.3777"></label>`,
)}
${share(
  'contacts',
  'Contact',
  `<label>Name<input name="name" required value="Kim Guest"></label>
<label>Number<input name="phone" inputmode="tel" required value="15557010199"></label>`,
)}
${share('sticker', 'Sticker', '<img src="/public/samples/sticker.webp" alt="A smile" width="48" height="48">')}
</div></details>
<form class="composer" method="post" action="/phone/${customer}/send" enctype="multipart/form-data" data-answer>
${hidden}
<label class="attach" title="Send a file or a voice message">${ICONS.picture}<span class="hidden">Send a file or a voice message</span>
<input class="hidden" type="file" name="file" accept="image/*,video/*,audio/*,application/pdf,.docx,.xlsx"></label>
<input name="text" autocomplete="off" placeholder="Answer as the customer" aria-label="Answer as the customer">
<button aria-label="Send">${ICONS.send}</button></form></div>`;
}

/** One row of the list: a customer, the business number they talk to, and the last message. */
type ChatRow = { customer: string; phone: Phone; last: Message; unread: number };

const MOST_SHOWN = 100;

/** The latest chats, the latest first. */
export function listChats(world: World): ChatRow[] {
  const rows = [...world.chats.values()].flatMap((chat): ChatRow[] => {
    const last = chat.at(-1);
    const phone = last && world.phones.get(last.phoneId);
    if (!last || !phone) return [];
    const unread = chat.filter(
      ({ direction, status, type }) =>
        type !== 'reaction' && direction === 'out' && (status === 'delivered' || status === 'sent'),
    ).length;
    return [{ customer: last.customer, phone, last, unread }];
  });
  return rows.sort((a, b) => b.last.acceptedAt - a.last.acceptedAt).slice(0, MOST_SHOWN);
}
