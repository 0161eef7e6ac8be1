/** Content of a mail: paragraphs and one action. */
export interface MailText {
  subject: string;
  paragraphs: readonly string[];
  /** A list of links, below the first paragraph. */
  items?: readonly { text: string; url: string }[] | undefined;
  link?: { label: string; url: string };
}

/** Renders a mail as plain text and HTML of the same content. The HTML loads nothing and has no trackers. */
export function renderMail({ subject, paragraphs, items = [], link }: MailText): {
  text: string;
  html: string;
} {
  const [first, ...others] = paragraphs;
  const listed = items.map((item) => `- ${item.text}\n  ${item.url}`).join('\n');
  const above = [first ?? '', ...(items.length > 0 ? [listed] : []), ...others];
  const text = [...above, ...(link ? [`${link.label}:\n${link.url}`] : [])].join('\n\n');
  const body = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`);
  if (items.length > 0) body.splice(1, 0, `<ul>${items.map(listItem).join('')}</ul>`);
  if (link) body.push(button(link), `<p style="color:#57606a">${escapeHtml(link.url)}</p>`);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;max-width:34rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere">
${body.join('\n')}
</body></html>`;
  return { text: `${text}\n`, html };
}

const listItem = ({ text, url }: { text: string; url: string }): string =>
  `<li><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></li>`;

const button = ({ label, url }: { label: string; url: string }): string =>
  `<p><a href="${escapeHtml(url)}" style="display:inline-block;padding:.6rem 1rem;border-radius:.5rem;background:#1f2937;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></p>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
