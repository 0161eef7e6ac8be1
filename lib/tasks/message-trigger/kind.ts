import type { TaskKind } from '#lib/tasks/task-kind.ts';
import { describeMessageStart, readMessageStart } from './read-message-start.ts';

/** The trigger for customers' messages (docs/messaging.md, Notifications). Its output is the message. */
export const messageTriggerKind = {
  type: 'message_trigger',
  name: 'When a message arrives',
  summary: 'Starts the workflow when a customer writes.',
  category: 'trigger',
  icon: 'M7.9 20A9 9 0 1 0 4 16.1L2 22Z',
  isTrigger: true,
  branches: [],
  keywords: ['trigger', 'start', 'incoming', 'keyword', 'chat', 'reply'],
  trigger: {
    label: 'When a message arrives',
    startedBy: 'messages',
    firstSteps: [
      {
        text: 'Select in the trigger whose messages start the workflow.',
        action: 'open_trigger',
        isDone: (settings) => readMessageStart(settings) !== null,
      },
      {
        text: 'Write to that number from a phone. The message appears in the trigger with all its fields.',
        action: 'open_phone',
        isDone: (_settings, hasSample) => hasSample,
      },
    ],
    whenPublished: 'Messages then run the workflow.',
  },
  describe: (settings) => describeMessageStart(readMessageStart(settings)),
  messageStart: readMessageStart,
  collectsWebhooks: ({ quiet_seconds }) => typeof quiet_seconds === 'number',
  answersAfterRun: ({ response_type }) => response_type === 'after_workflow',
} as const satisfies TaskKind;
