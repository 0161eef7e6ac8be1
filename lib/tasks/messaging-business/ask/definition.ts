import * as z from 'zod';
import type { Problem } from '#lib/core/errors.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { TemplateFacts } from '#lib/messaging/schema/fact-types.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import { SAID_MESSAGE } from '#lib/tasks/conversation.ts';
import { type DurationUnit, findDurationProblem, readDuration } from '#lib/tasks/durations.ts';
import { patternCheck } from '#lib/tasks/conditions/settings.ts';
import { acceptanceOutputs, stoppedOutputs } from '#lib/tasks/messaging-business/delivery/settings.ts';
import { templateProblems } from '#lib/tasks/messaging-business/template-problems.ts';
import { readParameters } from '#lib/tasks/messaging-business/template-settings.ts';
import { hasVariables, isMissing, settingRows } from '#lib/tasks/setting-values.ts';
import type { FindTemplate, StoredSettings, TaskDefinition } from '#lib/tasks/task-definition.ts';
import { EXAMPLE_CONNECTION, type TaskExample } from '#lib/tasks/task-example.ts';
import { readAskConversation } from './conversation.ts';
import { listTitles } from './exits.ts';
import { askKind } from './kind.ts';
import { findQuestionProblems, findTextProblems } from './rules.ts';
import { askFields, type AskSettings } from './settings.ts';

// Problems of a question's settings that are known before a run.

interface Found {
  path: readonly (string | number)[];
  message: string;
}

/** Problems by path in the settings. */
function findAskProblems(settings: AskSettings): Found[] {
  const problems: Found[] = [];
  const report = (path: (string | number)[], message: string): void => void problems.push({ path, message });
  if (isMissing(settings.app_connection_id)) report(['app_connection_id'], 'No app connection selected');
  if (isMissing(settings.phone_number_id)) report(['phone_number_id'], 'Select the sender’s number.');
  if (isMissing(settings.recipient)) report(['recipient'], 'Enter a recipient.');
  else if (!hasVariables(settings.recipient)) {
    const { problem } = readRecipient(settings.recipient.trim());
    if (problem !== undefined) report(['recipient'], problem);
  }
  problems.push(...findOwnProblems(settings));
  const wait = findDurationProblem(settings.wait_amount, settings.wait_unit);
  if (wait !== undefined) report(['wait_amount'], wait);
  settings.reminders.forEach(({ amount, unit, text: words }, place) => {
    const problem = findDurationProblem(amount, unit);
    if (problem !== undefined) report(['reminders', place, 'amount'], problem);
    if (isMissing(words)) report(['reminders', place, 'text'], 'Enter a text.');
  });
  return [...problems, ...findRetryProblems(settings)];
}

function findRetryProblems({ answer_by: by, retry_text: first, retry_texts: later }: AskSettings): Found[] {
  const problems: Found[] = [];
  if (isMissing(first) && later.length > 0)
    problems.push({ path: ['retry_text'], message: 'Enter the text for the first time it is asked again.' });
  later.forEach(({ text }, place) => {
    if (isMissing(text)) problems.push({ path: ['retry_texts', place, 'text'], message: 'Enter a text.' });
    else problems.push(...findTextProblems(['retry_texts', place, 'text'], by, text));
  });
  return [...problems, ...findTextProblems(['retry_text'], by, first)];
}

function findOwnProblems(settings: AskSettings): Found[] {
  const { answer_by: by, question: text, footer, list_button: listButton } = settings;
  if (by === 'template') return findTemplateProblems(settings);
  const choices =
    by === 'list' ? settings.rows : settings.buttons.map(({ title }) => ({ title, description: '' }));
  const problems: Found[] = findQuestionProblems({ by, text, footer, listButton, choices });
  if (by === 'text' && settings.answer_kind === 'one_of' && isMissing(settings.accepted_answers))
    problems.push({ path: ['accepted_answers'], message: 'Enter the accepted answers.' });
  return problems;
}

function findTemplateProblems(settings: AskSettings): Found[] {
  const { template_name: name, template_parameters: parameters, quick_replies: replies } = settings;
  const problems: Found[] = [];
  if (isMissing(name)) problems.push({ path: ['template_name'], message: 'Select a message template.' });
  else if (replies.length === 0)
    problems.push({ path: ['quick_replies'], message: 'Add the quick replies of the template.' });
  replies.forEach(({ title }, place) => {
    if (isMissing(title))
      problems.push({ path: ['quick_replies', place, 'title'], message: 'Enter a label.' });
  });
  const isKnown = !JSON.stringify(parameters).includes('{{');
  const { problem } = isKnown ? readParameters(parameters as JsonValue) : {};
  if (problem !== undefined) problems.push({ path: ['template_parameters'], message: problem });
  return problems;
}

/** Checks the template's values, and that the exits are its quick replies. */
function findAskTemplateProblems(settings: StoredSettings, find: FindTemplate): Problem[] {
  const template = find('template_name');
  return [...templateProblems(settings, find), ...(template ? findReplyProblems(settings, template) : [])];
}

function findReplyProblems(settings: StoredSettings, { name, quickReplies }: TemplateFacts): Problem[] {
  if (!quickReplies) return [];
  if (quickReplies.length === 0) {
    const message = `“${name}” has no quick reply buttons. Select a template that has some, or another way to answer.`;
    return [{ path: 'template_name', message }];
  }
  const has = quickReplies.map(({ title }) => title);
  const isSame =
    listTitles(settings).join('\n') === has.join('\n') &&
    settingRows(settings['quick_replies']).every(
      ({ index = 0 }, place) => index === quickReplies[place]?.index,
    );
  if (isSame) return [];
  const message = `The quick replies of “${name}” are ${has.map((title) => `“${title}”`).join(', ')}. Use them as exits.`;
  return [{ path: 'quick_replies', message }];
}

const { wait_amount, wait_unit, reminders } = askFields.shape;
const timesSchema = z.object({ wait_amount, wait_unit, reminders });

/** Undefined where it is only known in a run, or invalid. */
const readMs = (amount: JsonValue, unit: DurationUnit): number | undefined =>
  readDuration(amount, unit).value;

/**
 * Reminders that are due after the end of the wait. Already published versions still run, without such reminders.
 * @param settings possibly refused by the schema for other reasons
 */
function findLateReminders(settings: unknown): Problem[] {
  const { data } = timesSchema.safeParse(settings);
  if (!data) return [];
  const waitMs = readMs(data.wait_amount, data.wait_unit);
  if (waitMs === undefined) return [];
  return data.reminders.flatMap(({ amount, unit }, place) => {
    const afterMs = readMs(amount, unit);
    if (afterMs === undefined || afterMs < waitMs) return [];
    const message =
      'This reminder would come after the wait and never be sent: enter a shorter time, or a longer wait.';
    return [{ path: `settings.reminders[${place}].amount`, message }];
  });
}

const settings = askFields.check(({ value, issues }) => {
  for (const { path, message } of findAskProblems(value)) {
    const input = path.reduce<unknown>(
      (found, key) => (found as Record<PropertyKey, unknown> | undefined)?.[key],
      value,
    );
    issues.push({ code: 'custom', path: [...path], message, input });
  }
});

const field = (title: string, description: string) => z.string().meta({ title, description });

/** Asks a customer something and takes the exit of the answer (docs/engine.md, "Signals"). */
export const askAndWait = {
  ...askKind,
  settings,
  publishCheck: findLateReminders,
  furtherCheck: patternCheck('until'),
  templateProblems: findAskTemplateProblems,
  conversation: readAskConversation,
  outputs: z.object({
    message_id: field('Message ID', 'Of the first question.'),
    ...acceptanceOutputs,
    recipient: field('Recipient', 'Whom it was sent to.'),
    answer: field(
      'Answer',
      'What the customer wrote or tapped, as text; numbers and dates in a standard format, such as 1250.5 or 2030-05-12. Empty without an answer.',
    ),
    choice: field('Choice', 'The label of the button or row; empty for another answer.'),
    answer_type: field('Answer type', 'The platform’s word, such as text, interactive, image or location.'),
    message: z.unknown().meta({
      title: 'Message',
      description: 'The last message of the answer with all its fields, such as media_id or location.',
    }),
    reminders_sent: z
      .number()
      .meta({ title: 'Reminders sent', description: 'How many reminders there were.' }),
    times_asked: z.number().meta({
      title: 'Times asked',
      description: 'How often the question was sent; 1: it was not asked again.',
    }),
    conversation: z.array(SAID_MESSAGE).meta({
      title: 'Conversation',
      description: 'Questions, reminders and answers in their order.',
    }),
    ...stoppedOutputs,
    waits_until: field('Waits until', 'When the wait is over, ISO 8601.'),
  }),
} satisfies TaskDefinition;

export const askExample: TaskExample = {
  says: 'Asks a customer who has written, and continues on the branch of the button.',
  event: { from: '15550103002' },
  settings: {
    app_connection_id: EXAMPLE_CONNECTION,
    phone_number_id: '300000000000001',
    recipient: '{{task_1_from}}',
    question: 'May we deliver tomorrow between 9 and 12?',
    answer_by: 'buttons',
    buttons: [{ title: 'Yes' }, { title: 'Another day' }],
    wait_amount: 1,
    wait_unit: 'days',
  },
  meanwhile: { taps: 'Yes' },
  output: { answer: 'Yes', choice: 'Yes', answer_type: 'interactive', reminders_sent: 0 },
};
