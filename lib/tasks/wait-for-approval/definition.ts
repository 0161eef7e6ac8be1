import * as z from 'zod';
import type { Problem } from '#lib/core/errors.ts';
import { durationUnit, findDurationProblem } from '#lib/tasks/durations.ts';
import { hasVariables, isMissing, numberSetting, variableText } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskExample } from '#lib/tasks/task-example.ts';
import { waitForApprovalKind } from './kind.ts';

const settings = z
  .strictObject({
    link_id: variableText().default('').meta({
      title: 'Link ID',
      description: 'The link ID of a task “Approval link”.',
      variables: true,
      placeholder: '{{task_2_link_id}}',
    }),
    wait_amount: numberSetting().default(7).meta({
      title: 'Wait for the decision',
      description: 'The wait also ends when the link expires.',
      variables: true,
      widget: 'number',
    }),
    wait_unit: durationUnit('days'),
  })
  .check(({ value, issues }) => {
    if (isMissing(value.link_id))
      issues.push({
        code: 'custom',
        path: ['link_id'],
        message: 'Enter the link ID of an approval link.',
        input: '',
      });
    const message = findDurationProblem(value.wait_amount, value.wait_unit);
    if (message !== undefined)
      issues.push({ code: 'custom', path: ['wait_amount'], message, input: value.wait_amount });
  });

export type WaitForApprovalSettings = z.output<typeof settings>;

/** Each run has its own links, so that a literal one does not belong to this run. */
function findTypedLink(value: unknown): Problem[] {
  const { data } = z.object({ link_id: settings.shape.link_id }).safeParse(value);
  if (!data || isMissing(data.link_id) || hasVariables(data.link_id)) return [];
  const message =
    'Insert the link ID of a task “Approval link” before this one as a variable: each run has its own.';
  return [{ path: 'settings.link_id', message }];
}

/** Waits until someone has decided by an approval link (docs/engine.md, "Signals"). */
export const waitForApproval = {
  ...waitForApprovalKind,
  settings,
  publishCheck: findTypedLink,
  outputs: z.object({
    decision: z
      .string()
      .meta({ title: 'Decision', description: 'approved or rejected; empty without a decision.' }),
    comment: z.string().meta({ title: 'Comment', description: 'Empty if none was given.' }),
    body: z.unknown().meta({
      title: 'Body',
      description: 'The whole JSON that a system posted to the link; null without a decision.',
    }),
    decided_at: z
      .string()
      .meta({ title: 'Decided at', description: 'ISO 8601, UTC; empty without a decision.' }),
  }),
} satisfies TaskDefinition;

export const waitForApprovalExample: TaskExample = {
  says: 'Waits for the decision about the link of task 2.',
  event: { order: { number: 'A-1001' } },
  before: [
    {
      id: 2,
      type: 'approval_link',
      name: 'Refund?',
      settings: { question: 'Refund order {{task_1_order_number}}?' },
    },
  ],
  settings: { link_id: '{{task_2_link_id}}', wait_amount: 2, wait_unit: 'days' },
  meanwhile: { approves: true },
  output: { decision: 'approved', comment: '', decided_at: '…' },
};
