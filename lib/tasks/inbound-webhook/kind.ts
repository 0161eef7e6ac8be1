import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** The inbound webhook trigger (spec: Inbound Webhook Trigger Task). Its output is the body of the event. */
export const inboundWebhookKind: TaskKind = {
  type: 'inbound_webhook',
  name: 'Inbound webhook',
  summary: 'Starts the workflow when another application posts to its URL.',
  category: 'trigger',
  icon: 'Webhook',
  isTrigger: true,
  branches: [],
};
