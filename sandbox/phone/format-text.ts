import { escapeHtml } from '../http/html.ts';

/** A message's text as HTML: *bold*, _italic_, ~struck~, ```code``` and links, as messaging apps show them. */
export function formatText(text: string): string {
  return escapeHtml(text)
    .split(/(https?:\/\/[^\s<]+)/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${part}" target="_blank" rel="noreferrer">${part}</a>` : formatMarks(part),
    )
    .join('');
}

function formatMarks(html: string): string {
  return html
    .replaceAll(/```([^`]+)```/g, '<code>$1</code>')
    .replaceAll(/(^|[\s(])\*([^*\n]+)\*(?=$|[\s.,!?)])/g, '$1<strong>$2</strong>')
    .replaceAll(/(^|[\s(])_([^_\n]+)_(?=$|[\s.,!?)])/g, '$1<em>$2</em>')
    .replaceAll(/(^|[\s(])~([^~\n]+)~(?=$|[\s.,!?)])/g, '$1<s>$2</s>');
}
