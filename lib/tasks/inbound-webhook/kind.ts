import type { TaskKind } from '#lib/tasks/task-kind.ts';
import { describeMessageStart, readMessageStart, startsOnMessages } from './read-message-start.ts';

const WEBHOOK_ICON =
  'M18 16.98h-5.99c-1.1 0-1.95.94-2.48 1.9A4 4 0 0 1 2 17c.01-.7.2-1.4.57-2M6 17l3.13-5.78c.53-.97.1-2.18-.5-3.1a4 4 0 1 1 6.89-4.06M12 6l3.13 5.73C15.66 12.7 16.9 13 18 13a4 4 0 0 1 0 8';
const MESSAGE_ICON = 'M7.9 20A9 9 0 1 0 4 16.1L2 22Z';

/** The inbound webhook trigger (spec: Inbound Webhook Trigger Task). Its output is the body of the event. */
export const inboundWebhookKind = {
  type: 'inbound_webhook',
  name: 'Inbound webhook',
  summary: 'Starts the workflow when a request or a message arrives.',
  category: 'trigger',
  icon: WEBHOOK_ICON,
  isTrigger: true,
  branches: [],
  offers: [
    {
      name: 'Inbound webhook',
      summary: 'Starts the workflow when a request arrives.',
      keywords: [],
      icon: WEBHOOK_ICON,
      settings: {},
    },
    {
      name: 'Incoming message',
      summary: 'Starts the workflow when a customer writes.',
      keywords: [],
      icon: MESSAGE_ICON,
      settings: { starts_on: 'messages' },
    },
  ],
  describe: (settings) =>
    startsOnMessages(settings) ? describeMessageStart(readMessageStart(settings)) : '',
  startsOnMessages,
  messageStart: readMessageStart,
  answersAfterRun: ({ response_type }) => response_type === 'after_workflow',
} as const satisfies TaskKind;
