import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** The inbound webhook trigger (spec: Inbound Webhook Trigger Task). Its output is the body of the event. */
export const inboundWebhookKind = {
  type: 'inbound_webhook',
  name: 'Inbound webhook',
  summary: 'Starts the workflow when a request arrives.',
  category: 'trigger',
  icon: 'M18 16.98h-5.99c-1.1 0-1.95.94-2.48 1.9A4 4 0 0 1 2 17c.01-.7.2-1.4.57-2M6 17l3.13-5.78c.53-.97.1-2.18-.5-3.1a4 4 0 1 1 6.89-4.06M12 6l3.13 5.73C15.66 12.7 16.9 13 18 13a4 4 0 0 1 0 8',
  isTrigger: true,
  branches: [],
  keywords: ['trigger', 'start', 'request', 'http', 'post', 'url', 'api'],
  trigger: {
    label: 'Webhook',
    startedBy: 'requests',
    firstSteps: [
      {
        text: 'Copy the test URL into the application that will send the webhook.',
        action: 'copy_test_url',
        isDone: (_settings, hasSample) => hasSample,
      },
      {
        text: 'Send a test request. It appears in the trigger with all its fields.',
        action: 'open_trigger',
        isDone: (_settings, hasSample) => hasSample,
      },
    ],
    whenPublished: 'The production URL then runs the workflow.',
  },
  collectsWebhooks: ({ quiet_seconds }) => typeof quiet_seconds === 'number',
  answersAfterRun: ({ response_type }) => response_type === 'after_workflow',
  toCurrentShape,
} as const satisfies TaskKind;

// Until version 0.3.0 this type was also the trigger for customers' messages, by a setting (docs/decisions/triggers.md).
type Settings = Readonly<Record<string, unknown>>;

const OF_MESSAGES = [
  'app_connection_id',
  'phone_number_id',
  'message_kinds',
  'words',
  'in_conversations',
  'beside_others',
];

/** A trigger of the older shape as the type of today; undefined: it is of today's shape. Settings without effect are left out. */
function toCurrentShape(settings: Settings): { type: string; settings: Settings } | undefined {
  const { starts_on: startsOn, ...others } = settings;
  if (startsOn === 'messages') return { type: 'message_trigger', settings: others };
  // Anything else was never valid: checks refuse it.
  if (startsOn !== undefined && startsOn !== 'request') return undefined;
  const kept = Object.entries(others).filter(([name]) => !OF_MESSAGES.includes(name));
  if (kept.length === Object.keys(settings).length) return undefined;
  return { type: 'inbound_webhook', settings: Object.fromEntries(kept) };
}
