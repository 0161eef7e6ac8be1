// The conversation: a question with three buttons, a separate question after each, and a text that repeats the answers and
// waits for its delivery.
import { IDS } from '../../../sandbox/data/businesses.ts';
import { type Calls, connectBooks } from '../../../server/testing/beside-sandbox.ts';
import { NOTIFICATION_RETRY_MS, trigger, type Workflow } from '../workflows.ts';

export const PHONE = IDS.booksOrders;
/** Some customers take longer to answer. */
export const REMINDER_AFTER_MS = 6000;

/** The first question's buttons in their order, and the question after each. */
const CHOICES = [
  { title: 'Monday', asks: 'At what time on Monday?' },
  { title: 'Tuesday', asks: 'At what time on Tuesday?' },
  { title: 'Not at all', asks: 'Why not?' },
] as const;

const QUESTION = 2;
const CLOSING = 9;
const followUp = (place: number): number => QUESTION + 1 + place;
/** The tasks that ask questions. */
export const ASKING_TASKS = [QUESTION, ...CHOICES.map((_, place) => followUp(place))];

/** The part of the conversation that a message belongs to, by its text; undefined: none. */
export type Said = 'question' | 'reminder' | 'follow_up' | 'closing';
const WORDS: Readonly<Record<Said, string>> = {
  question: 'When do you come?',
  reminder: 'Are you there?',
  follow_up: 'One more question.',
  closing: 'Noted:',
};
export const readSaid = (text: string): Said | undefined =>
  (Object.keys(WORDS) as Said[]).find((said) => text.startsWith(WORDS[said]));

/** The part of the closing text about an answer. */
export const closingText = (answer: string): string => `${WORDS.closing} ${answer}`;

/**
 * Creates and publishes it; notifications come twice and reordered.
 * @param connected a subscribed connection to the sandbox's bookshop; left out: one is created
 */
export async function prepareConversation(
  { api, control }: Calls,
  { connected, reminderAfterMs = REMINDER_AFTER_MS }: { connected?: string; reminderAfterMs?: number } = {},
): Promise<Workflow> {
  await control('POST', 'settings', {
    notification_retry_ms: NOTIFICATION_RETRY_MS,
    notification_copies: 2,
    notification_batch_ms: 50,
  });
  const connection = connected ?? (await connectBooks({ api, control }));
  const sender = {
    app_connection_id: connection,
    phone_number_id: PHONE,
    recipient: '{{task_1_phone}}',
  };
  const wait = { wait_amount: 30, wait_unit: 'minutes' };
  const workflow = await api<Workflow>('POST', '/workflows', {
    name: 'Appointment',
    publish: true,
    tasks: [
      trigger,
      {
        id: QUESTION,
        type: 'ask_and_wait',
        settings: {
          ...sender,
          ...wait,
          question: WORDS.question,
          buttons: CHOICES.map(({ title }) => ({ title })),
          reminders: [{ amount: reminderAfterMs / 60_000, unit: 'minutes', text: WORDS.reminder }],
        },
      },
      ...CHOICES.map(({ asks }, place) => ({
        id: followUp(place),
        type: 'ask_and_wait',
        settings: { ...sender, ...wait, answer_by: 'text', question: `${WORDS.follow_up} ${asks}` },
      })),
      {
        id: CLOSING,
        type: 'messaging_business',
        settings: {
          ...sender,
          ...wait,
          action: 'send_text',
          message_text: closingText(CHOICES.map((_, place) => `{{task_${followUp(place)}_answer}}`).join('')),
          wait_until: 'delivered',
        },
      },
      { id: CLOSING + 1, type: 'set_variables', settings: { variables: [{ name: 'done', value: 'yes' }] } },
    ],
    edges: [
      { from: 1, to: QUESTION },
      ...CHOICES.flatMap((_, place) => [
        { from: QUESTION, to: followUp(place), branch: `choice_${place + 1}` },
        { from: followUp(place), to: CLOSING, branch: 'answered' },
      ]),
      { from: CLOSING, to: CLOSING + 1, branch: 'delivered' },
    ],
  });
  if (connected === undefined) await api('POST', `/connections/${connection}/notifications`);
  return workflow;
}
