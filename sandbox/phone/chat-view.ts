import { chatKey, findWindowEnd, type World } from '../world.ts';
import type { Message } from '../model.ts';
import { escapeHtml } from '../http/html.ts';
import { formatText } from './format-text.ts';
import { ICONS, statusIcon } from './icons.ts';
import { renderCards } from './cards-view.ts';
import { findQuoted, findReactions, renderQuote } from './context-view.ts';
import { renderReactions, renderReplies } from './replies-view.ts';

const MOST_SHOWN = 200;

/** `14:05`, on the sandbox's clock, in the time zone of this machine. */
export function showTime(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

function showDay(ms: number, month: 'short' | 'long'): string {
  return new Date(ms).toLocaleDateString('en-GB', { day: 'numeric', month });
}

/** The messages of a chat as the customer sees them, with the delivery state that the business sees. */
export function renderThread(world: World, customer: string, phoneId: string, chat: Message[]): string {
  let day = '';
  const reactions = findReactions(chat);
  // A reaction is shown at its message.
  const isShown = ({ type, payload }: Message): boolean =>
    type !== 'reaction' || !reactions.targets.has(reactions.targetOf(payload));
  const shown = chat.filter(isShown).slice(-MOST_SHOWN);
  const bubbles = shown.map((message) => {
    const messageDay = showDay(message.acceptedAt, 'long');
    const separator = messageDay === day ? '' : `<li class="day"><span>${messageDay}</span></li>`;
    day = messageDay;
    const bubble = renderBubble(message, customer, phoneId, {
      quoted: findQuoted(world, message),
      reactions: reactions.of(message.id),
    });
    return separator + bubble;
  });
  if ((world.typing.get(chatKey(phoneId, customer)) ?? 0) > world.clock.nowMs()) bubbles.push(TYPING);
  const empty = `<li class="nothing">No messages yet. Write something below: it reaches the business as an incoming message.</li>`;
  return `<ol class="thread" id="thread" data-live aria-label="Messages" aria-live="polite" tabindex="0">${bubbles.join('\n') || empty}</ol>${renderWindow(world, customer, phoneId)}`;
}

function renderWindow(world: World, customer: string, phoneId: string): string {
  const end = findWindowEnd(world, phoneId, customer);
  const open = end !== null && world.clock.nowMs() < end;
  const words = open
    ? `24-hour window open until ${showDay(end, 'short')}, ${showTime(end)}: the business may send text and media.`
    : '24-hour window closed: the business may send templates only.';
  return `<p class="window ${open ? 'open' : 'closed'}" id="window" data-live>${words}</p>`;
}

const TYPING = `<li class="bubble theirs typing"><div class="content" role="img" aria-label="The business is typing"><i></i><i></i><i></i></div></li>`;

function renderBubble(
  message: Message,
  customer: string,
  phoneId: string,
  { quoted, reactions }: { quoted: Message | undefined; reactions: string[] },
): string {
  const { rendered, direction, status } = message;
  const mine = direction === 'in';
  const failed = message.steps.at(-1)?.errors?.[0];
  const tick = statusIcon(mine ? (message.seenByBusiness ? 'read' : 'delivered') : status);
  const kind =
    message.templateName === null
      ? ''
      : `<span class="kind">Template <b>${escapeHtml(message.templateName)}</b></span>`;
  const cards = renderCards(message);
  const sticker = message.type === 'sticker' ? ' sticker' : '';
  return `<li class="bubble ${mine ? 'mine' : 'theirs'} ${status}${sticker}" id="${domId(message.id)}">
<div class="content">
${quoted ? renderQuote(quoted) : ''}
${renderMedia(message)}
${cards}
${rendered.header === null ? '' : `<p class="header">${formatText(rendered.header)}</p>`}
${rendered.linkPreview === null ? '' : renderPreview(rendered.linkPreview)}
${rendered.text === '' || cards !== '' ? '' : `<p class="text">${formatText(rendered.text)}</p>`}
${rendered.footer === null || cards !== '' ? '' : `<p class="footer">${escapeHtml(rendered.footer)}</p>`}
<p class="meta">${kind}<time datetime="${new Date(message.acceptedAt).toISOString()}">${showTime(message.acceptedAt)}</time>${tick}</p>
</div>
${reactions.length === 0 ? '' : `<p class="reacted" role="img" aria-label="Reactions: ${escapeHtml(reactions.join(' '))}">${reactions.map((emoji) => `<span>${escapeHtml(emoji)}</span>`).join('')}</p>`}
${renderReplies(message, customer, phoneId)}
${mine ? '' : renderReactions(message, customer, phoneId)}
${failed ? `<p class="failure">Not delivered: ${escapeHtml(failed.title)} (${failed.code})</p>` : ''}
</li>`;
}

/** Ids of messages carry characters that selectors do not like. */
function domId(messageId: string): string {
  return `m-${messageId.replaceAll(/[^A-Za-z0-9]/g, '')}`;
}

function renderMedia({ type, rendered: { media, text } }: Message): string {
  if (!media) return '';
  const source = `/phone-media/${media.mediaId}`;
  const name = escapeHtml(media.filename ?? 'File');
  switch (media.kind) {
    case 'image':
      return `<a href="${source}" target="_blank"><img src="${source}" alt="${escapeHtml(text || (type === 'sticker' ? 'Sticker' : 'Picture'))}"></a>`;
    case 'video':
      return `<video src="${source}" controls></video>`;
    case 'audio':
      return `<audio src="${source}" controls></audio>`;
    case 'document':
      return `<a class="document" href="${source}" target="_blank">${ICONS.file}<span>${name}</span></a>`;
  }
}

function renderPreview(link: string): string {
  const host = URL.canParse(link) ? new URL(link).host : link;
  return `<a class="preview" href="${escapeHtml(link)}" target="_blank" rel="noreferrer">${ICONS.link}<span><b>${escapeHtml(host)}</b><small>${escapeHtml(link)}</small></span></a>`;
}
