import * as z from 'zod';
import { WAIT_RULES } from '#lib/engine/run-types.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import { hasVariables, isMissing, numberSetting, variableText } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { findWaitProblem, UNITS } from './durations.ts';
import { askKind } from './kind.ts';
import { ANSWER_KINDS, findQuestionProblems, MAX_ROWS } from './rules.ts';

const text = (meta: z.GlobalMeta & { title: string }) =>
  variableText()
    .default('')
    .meta({ variables: true, ...meta });

const shownFor = (...is: string[]) => ({ visibleWhen: { field: 'answer_by', is } });

const unit = z
  .enum(UNITS)
  .default('hours')
  .meta({ title: 'Unit', labels: { minutes: 'Minutes', hours: 'Hours', days: 'Days' } });

const reminder = z.strictObject({
  amount: numberSetting().default(1).meta({ title: 'After', variables: true, widget: 'number' }),
  unit,
  text: text({ title: 'Text', widget: 'multiline' }),
});

const settings = z
  .strictObject({
    app_connection_id: text({ title: 'App connection', picks: { from: 'connection' } }),
    phone_number_id: text({
      title: 'Sender',
      description: 'The phone number ID, not the phone number.',
      picks: { from: 'phone_number' },
    }),
    recipient: text({
      title: 'Recipient',
      description: 'The number with its country code, digits only, no leading +; or a customer’s user id.',
      placeholder: '{{task_1_phone}}',
    }),
    question: text({
      title: 'Question',
      description: 'The customer must have written in the last 24 hours.',
      widget: 'multiline',
    }),
    answer_by: z
      .enum(['buttons', 'list', 'text'])
      .default('buttons')
      .meta({
        title: 'Answer by',
        labels: { buttons: 'reply buttons, up to 3', list: 'a list, up to 10 rows', text: 'a text' },
      }),
    buttons: z
      .array(z.strictObject({ title: text({ title: 'Label' }) }))
      .max(MAX_ROWS)
      .default([])
      .meta({
        title: 'Buttons',
        description: 'Each has its own exit.',
        widget: 'list',
        ...shownFor('buttons'),
      }),
    list_button: text({ title: 'Label of the list', placeholder: 'Choose', ...shownFor('list') }),
    rows: z
      .array(z.strictObject({ title: text({ title: 'Label' }), description: text({ title: 'Description' }) }))
      .max(MAX_ROWS)
      .default([])
      .meta({
        title: 'Rows',
        description: 'Each has its own exit.',
        widget: 'list',
        ...shownFor('list'),
      }),
    footer: text({ title: 'Footer', ...shownFor('buttons', 'list') }),
    answer_kind: z
      .enum(ANSWER_KINDS)
      .default('any')
      .meta({
        title: 'Expected answer',
        labels: {
          any: 'anything',
          number: 'a number',
          date: 'a date',
          email: 'an email address',
          one_of: 'one of a list',
        },
        ...shownFor('text'),
      }),
    accepted_answers: text({
      title: 'Accepted answers',
      description: 'Separated by commas; upper and lower case are the same.',
      visibleWhen: { field: 'answer_kind', is: ['one_of'] },
    }),
    retry_text: text({
      title: 'Text for other answers',
      description:
        'Sent when the answer is not what is expected, up to three times. Left empty: “Other answer” is taken at once.',
      widget: 'multiline',
      ...shownFor('text'),
    }),
    wait_amount: numberSetting()
      .default(24)
      .meta({ title: 'Wait for the answer', variables: true, widget: 'number' }),
    wait_unit: unit,
    reminders: z.array(reminder).max(3, 'At most three reminders.').default([]).meta({
      title: 'Reminders',
      description: 'Texts that are sent while there is no answer, each so long after the question.',
      widget: 'list',
    }),
    pause_seconds: z.number().min(0).max(300).default(0).meta({
      title: 'Pause after an answer, in seconds',
      description:
        'Messages count as one answer until the customer has written nothing for so long. 0: the first message is the answer.',
      widget: 'number',
    }),
    if_several: z
      .enum(WAIT_RULES)
      .default('newest')
      .meta({
        title: 'If several runs wait for this customer',
        description:
          'The choice of the question that was asked last counts. A tap on a button or row always answers its own question.',
        labels: {
          newest: 'the last question gets the answer',
          oldest: 'the first question gets it',
          all: 'all of them get it',
        },
      }),
  })
  .check(({ value, issues }) => {
    const report = (path: (string | number)[], message: string, input: unknown): void =>
      void issues.push({ code: 'custom', path, message, input });
    if (isMissing(value.app_connection_id)) report(['app_connection_id'], 'No app connection selected', '');
    if (isMissing(value.phone_number_id)) report(['phone_number_id'], 'Select the sender’s number.', '');
    if (isMissing(value.recipient)) report(['recipient'], 'Enter a recipient.', '');
    else if (!hasVariables(value.recipient)) {
      const { problem } = readRecipient(value.recipient.trim());
      if (problem !== undefined) report(['recipient'], problem, value.recipient);
    }
    const { answer_by: by, question, footer, list_button: listButton } = value;
    const choices =
      by === 'list' ? value.rows : value.buttons.map(({ title }) => ({ title, description: '' }));
    for (const { path, message } of findQuestionProblems({
      by,
      text: question,
      footer,
      listButton,
      choices,
    })) {
      const at = path.reduce<unknown>(
        (found, key) => (found as Record<PropertyKey, unknown> | undefined)?.[key],
        value,
      );
      report(path, message, at);
    }
    if (by === 'text' && value.answer_kind === 'one_of' && isMissing(value.accepted_answers))
      report(['accepted_answers'], 'Enter the accepted answers.', '');
    const wait = findWaitProblem(value.wait_amount);
    if (wait !== undefined) report(['wait_amount'], wait, value.wait_amount);
    value.reminders.forEach(({ amount, text: words }, place) => {
      const problem = findWaitProblem(amount);
      if (problem !== undefined) report(['reminders', place, 'amount'], problem, amount);
      if (isMissing(words)) report(['reminders', place, 'text'], 'Enter a text.', words);
    });
  });

export type AskSettings = z.output<typeof settings>;

const field = (title: string, description: string) => z.string().meta({ title, description });

/** Asks a customer something and takes the exit of the answer (docs/engine.md, "Signals"). */
export const askAndWait = {
  ...askKind,
  settings,
  outputs: z.object({
    message_id: field('Message ID', 'Of the question.'),
    recipient: field('Recipient', 'Whom it was sent to.'),
    answer: field('Answer', 'What the customer wrote or tapped, as text; empty without an answer.'),
    choice: field('Choice', 'The label of the button or row; empty for another answer.'),
    answer_type: field('Answer type', 'The platform’s word, such as text, interactive, image or location.'),
    message: z.unknown().meta({
      title: 'Message',
      description: 'The last message of the answer with all its fields, such as media_id or location.',
    }),
    reminders_sent: z
      .number()
      .meta({ title: 'Reminders sent', description: 'How many reminders there were.' }),
  }),
} satisfies TaskDefinition;
