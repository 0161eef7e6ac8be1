import type { AlertContent } from '../alert-types.ts';
import type { AlertKind } from '../kinds.ts';

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
