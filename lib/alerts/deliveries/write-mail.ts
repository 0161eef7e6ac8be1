import type { MailText } from '#lib/mail/render-mail.ts';
import type { AlertContent } from '../alert-types.ts';

/** Mails are retried for a day; later the alert is only on the page. */
export const ALERT_USEFUL_SECONDS = 86_400;
/** Maximum number that a mail lists. */
const MAX_ITEMS = 100;
const ALERTS_PATH = '/settings/alerts';

/** The mail of an alert: its text, a link to its cause, and why the recipient gets it. */
export const writeMail = (
  { title, paragraphs, link, items }: AlertContent,
  { workspaceName, baseUrl }: { workspaceName: string; baseUrl: string },
): MailText => ({
  subject: `${title} – ${workspaceName}`,
  items: items?.slice(0, MAX_ITEMS).map(({ text, path }) => ({ text, url: baseUrl + path })),
  paragraphs: [
    ...paragraphs,
    ...(items && items.length > MAX_ITEMS ? [`The first ${MAX_ITEMS} are listed here.`] : []),
    `You get this because you receive alerts of the workspace “${workspaceName}”. Change that in Settings → Alerts: ${baseUrl}${ALERTS_PATH}`,
  ],
  link: { label: link.label, url: `${baseUrl}${link.path}` },
});
