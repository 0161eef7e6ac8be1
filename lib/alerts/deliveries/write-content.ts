import type { AlertContent } from '#lib/alerts/alert-types.ts';
import type { AlertKind } from '#lib/alerts/kinds.ts';
import type { MailText } from '#lib/mail/render-mail.ts';

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

/**
 * The payload of an alert for webhooks and workflows (docs/operations.md, "Alerts"): type, timestamp and data, by Standard
 * Webhooks.
 */
export function writePayload(
  alert: { id: string; kind: AlertKind; workflowId: string | null; content: AlertContent; createdAt: Date },
  { workspaceId, workspaceName, baseUrl }: { workspaceId: string; workspaceName: string; baseUrl: string },
): string {
  const { title, paragraphs, link, workflowName, count, since, runId, isTest, items } = alert.content;
  return JSON.stringify({
    type: isTest ? 'alert.test' : `alert.${alert.kind}`,
    timestamp: alert.createdAt.toISOString(),
    data: {
      alert_id: alert.id,
      title,
      text: paragraphs.join('\n\n'),
      url: baseUrl + link.path,
      workspace_id: workspaceId,
      workspace_name: workspaceName,
      workflow_id: alert.workflowId,
      workflow_name: workflowName ?? null,
      run_id: runId ?? null,
      count: count ?? null,
      since: since ?? null,
      ...(items === undefined
        ? {}
        : {
            items: items.map((item) => ({
              title: item.text,
              url: baseUrl + item.path,
              workflow_id: item.workflowId,
              workflow_name: item.workflowName,
            })),
          }),
    },
  });
}
