// The settings of a question: each field with its texts in the form.
import * as z from 'zod';
import { WAIT_RULES } from '#lib/engine/run-types.ts';
import {
  conditionSetting,
  matchSetting,
  MAX_CONDITIONS,
  TOO_MANY_CONDITIONS,
} from '#lib/tasks/conditions/settings.ts';
import { durationUnit } from '#lib/tasks/durations.ts';
import { numberSetting, variableText } from '#lib/tasks/setting-values.ts';
import { ANSWER_KINDS, DATE_ORDERS, MAX_BUTTONS, MAX_ROWS, NUMBER_FORMATS } from './rules.ts';
import { templateFields } from './template-fields.ts';

const text = (meta: z.GlobalMeta & { title: string }) =>
  variableText()
    .default('')
    .meta({ variables: true, ...meta });

const shownFor = (...is: string[]) => ({ visibleWhen: { field: 'answer_by', is } });

/** How often a question can be asked again. */
const MAX_RETRIES = 10;

const AGAIN = { group: 'Asking again' };

const unit = durationUnit('hours');

const reminder = z.strictObject({
  amount: numberSetting()
    .default(1)
    .meta({ title: 'Time after the question', variables: true, widget: 'number' }),
  unit,
  text: text({ title: 'Reminder text', widget: 'multiline' }),
});

export const askFields = z.strictObject({
  app_connection_id: text({ title: 'App connection', picks: { from: 'connection' } }),
  phone_number_id: text({
    title: 'Sender',
    description: 'The phone number ID, not the phone number.',
    picks: { from: 'phone_number' },
  }),
  recipient: text({
    title: 'Recipient',
    description: 'With country code, for example +1 555 010 1002; or a customer’s user ID.',
    placeholder: '{{task_1_phone}}',
  }),
  answer_by: z
    .enum(['buttons', 'list', 'text', 'template'])
    .default('buttons')
    .meta({
      title: 'Customers answer by',
      labels: {
        buttons: 'Tapping a button, up to 3',
        list: 'Choosing from a list, up to 10 rows',
        text: 'Writing a text',
        template: 'Tapping a button of a message template',
      },
    }),
  question: text({
    title: 'Question',
    description:
      'Can be sent within 24 hours of the customer’s last message. At any other time, ask with a message template.',
    placeholder: 'Hi {{task_1_name}}, does Monday at 10:30 still suit you?',
    widget: 'multiline',
    ...shownFor('buttons', 'list', 'text'),
  }),
  ...templateFields,
  buttons: z
    .array(z.strictObject({ title: text({ title: 'Label' }) }))
    .max(MAX_BUTTONS, `At most ${MAX_BUTTONS} buttons are possible.`)
    .default([])
    .meta({
      title: 'Buttons',
      description: 'Each has its own exit. Labels have up to 20 characters.',
      widget: 'list',
      ...shownFor('buttons'),
    }),
  list_button: text({
    title: 'Button that opens the list',
    description: 'Up to 20 characters.',
    placeholder: 'Choose a day',
    ...shownFor('list'),
  }),
  rows: z
    .array(z.strictObject({ title: text({ title: 'Label' }), description: text({ title: 'Description' }) }))
    .max(MAX_ROWS, `At most ${MAX_ROWS} rows are possible.`)
    .default([])
    .meta({
      title: 'Rows',
      description: 'Each has its own exit. Labels have up to 24 characters, descriptions up to 72.',
      widget: 'list',
      ...shownFor('list'),
    }),
  footer: text({
    title: 'Footer',
    description: 'Small text below the question, up to 60 characters.',
    ...shownFor('buttons', 'list'),
  }),
  answer_kind: z
    .enum(ANSWER_KINDS)
    .default('any')
    .meta({
      title: 'Expected answer',
      labels: {
        any: 'Anything',
        number: 'A number',
        date: 'A date',
        email: 'An email address',
        one_of: 'One of a list',
      },
      ...shownFor('text'),
    }),
  number_format: z
    .enum(NUMBER_FORMATS)
    .default('point')
    .meta({
      title: 'Customers write numbers like',
      description: 'Spaces and the sign of a currency do not matter. The output is always like 1250.5.',
      labels: { point: '1,250.5', comma: '1.250,5' },
      visibleWhen: { field: 'answer_kind', is: ['number'] },
    }),
  date_order: z
    .enum(DATE_ORDERS)
    .default('day')
    .meta({
      title: 'Customers write dates like',
      description: 'Also 12 May 2030, May 12, 2030 and 2030-05-12. The output is always like 2030-05-12.',
      labels: { day: '12.5.2030 or 12/5/2030', month: '5/12/2030' },
      visibleWhen: { field: 'answer_kind', is: ['date'] },
    }),
  accepted_answers: text({
    title: 'Accepted answers',
    description: 'Separated by commas. Upper and lower case, punctuation and emoji do not matter.',
    placeholder: 'yes, no, later',
    visibleWhen: { field: 'answer_kind', is: ['one_of'] },
  }),
  retry_text: text({
    title: 'Text when asking again',
    description:
      'Sent when the answer is not what is expected; with buttons or a list, they are sent again. Leave it empty to continue on “Other answer” at once.',
    widget: 'multiline',
    ...AGAIN,
  }),
  retry_texts: z
    .array(z.strictObject({ text: text({ title: 'Text', widget: 'multiline' }) }))
    .max(MAX_RETRIES - 1, `At most ${MAX_RETRIES - 1} texts.`)
    .default([])
    .meta({
      title: 'Texts of later repeats',
      description:
        'For the second time it is asked again, the third and so on. The last text is used for all further ones.',
      widget: 'list',
      ...AGAIN,
    }),
  max_retries: z
    .int('Enter a whole number.')
    .min(1, 'At least 1.')
    .max(MAX_RETRIES, `At most ${MAX_RETRIES}.`)
    .default(3)
    .meta({
      title: 'Ask again at most',
      description:
        'How many times. After that, “Other answer” is taken. Each question waits for its answer as long as the first one.',
      widget: 'number',
      ...AGAIN,
    }),
  until_match: matchSetting().meta({ title: 'The answer fits when', ...AGAIN }),
  until: z
    .array(conditionSetting())
    .max(MAX_CONDITIONS, TOO_MANY_CONDITIONS)
    .default([])
    .meta({
      title: 'Conditions for the answer',
      description:
        'An answer that does not meet them is not what is expected. They can use the answer and choice of this task.',
      widget: 'list',
      readsResults: true,
      ...AGAIN,
    }),
  wait_amount: numberSetting()
    .default(24)
    .meta({ title: 'Wait for the answer', variables: true, widget: 'number' }),
  wait_unit: unit,
  reminders: z.array(reminder).max(3, 'At most three reminders.').default([]).meta({
    title: 'Reminders',
    description:
      'Texts that are sent while there is no answer. One that is due after the wait, or when the customer’s 24-hour window is closed, is left out.',
    widget: 'list',
  }),
  pause_seconds: z.number().min(0).max(300).default(0).meta({
    title: 'Pause after an answer, in seconds',
    description:
      'Messages count as one answer until the customer has stopped writing for this time. 0: the first message is the answer.',
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
        newest: 'The last question gets the answer',
        oldest: 'The first question gets the answer',
        all: 'All of them get the answer',
      },
    }),
});

export type AskSettings = z.output<typeof askFields>;
