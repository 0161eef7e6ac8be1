import * as z from 'zod';
import { MAX_DETAILS, MAX_LABEL, MAX_QUESTION } from '#lib/approvals/approval-link.ts';
import { durationUnit, findDurationProblem } from '#lib/tasks/durations.ts';
import { hasVariables, isMissing, numberSetting, variableText } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskExample } from '#lib/tasks/task-example.ts';
import { approvalLinkKind } from './kind.ts';

/** For each text its name in messages and its maximum length in characters. */
export const TEXTS = {
  question: { name: 'question', max: MAX_QUESTION },
  details: { name: 'details', max: MAX_DETAILS },
  approve_label: { name: 'label of the approve button', max: MAX_LABEL },
  reject_label: { name: 'label of the reject button', max: MAX_LABEL },
} as const;

export type TextField = keyof typeof TEXTS;

/** The problem of a text as shown on the page. */
export const findTextProblem = (field: TextField, text: string): string | undefined =>
  text.length > TEXTS[field].max
    ? `The ${TEXTS[field].name} is longer than ${TEXTS[field].max.toLocaleString('en')} characters.`
    : undefined;

const settings = z
  .strictObject({
    question: variableText().default('').meta({
      title: 'Question',
      description: 'The heading of the page that the link opens.',
      variables: true,
      widget: 'multiline',
      placeholder: 'Give {{task_1_customer}} a refund of {{task_1_total}}?',
    }),
    details: variableText().default('').meta({
      title: 'Details',
      description: 'What one needs to know to decide. Everyone who has the link can read it.',
      variables: true,
      widget: 'multiline',
    }),
    approve_label: variableText()
      .default('Approve')
      .meta({ title: 'Label of the approve button', variables: true }),
    reject_label: variableText()
      .default('Reject')
      .meta({ title: 'Label of the reject button', variables: true }),
    allow_comment: z.boolean().default(true).meta({
      title: 'Allow a comment',
      description: 'The page has a field for it, which may be left empty.',
      widget: 'toggle',
    }),
    valid_amount: numberSetting()
      .default(7)
      .meta({ title: 'Link is valid for', variables: true, widget: 'number' }),
    valid_unit: durationUnit('days'),
  })
  .check(({ value, issues }) => {
    const report = (field: keyof typeof value, message: string | undefined): void => {
      if (message !== undefined) issues.push({ code: 'custom', path: [field], message, input: value[field] });
    };
    if (isMissing(value.question)) report('question', 'Enter a question.');
    for (const field of Object.keys(TEXTS) as TextField[])
      if (!hasVariables(value[field])) report(field, findTextProblem(field, value[field]));
    report('valid_amount', findDurationProblem(value.valid_amount, value.valid_unit));
  });

export type ApprovalLinkSettings = z.output<typeof settings>;

/** Creates a link by which a person or another system approves or rejects (lib/approvals). */
export const approvalLink = {
  ...approvalLinkKind,
  settings,
  outputs: z.object({
    url: z.string().meta({
      title: 'URL',
      description: 'Send it to the person who decides. Anyone who has it can decide, without signing in.',
    }),
    link_id: z.string().meta({ title: 'Link ID', description: 'For the task “Wait for approval”.' }),
    expires_at: z.string().meta({ title: 'Expires at', description: 'ISO 8601, UTC.' }),
  }),
} satisfies TaskDefinition;

export const approvalLinkExample: TaskExample = {
  says: 'Creates a link to approve a refund. Send `{{task_2_url}}` to the person who decides.',
  event: { order: { number: 'A-1001', total: 184.35 } },
  settings: {
    question: 'Refund order {{task_1_order_number}}?',
    details: 'Total: {{number task_1_order_total 2}}',
    valid_amount: 2,
    valid_unit: 'days',
  },
  output: { url: '…', link_id: '…', expires_at: '…' },
};
