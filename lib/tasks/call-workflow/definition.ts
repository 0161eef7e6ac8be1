import * as z from 'zod';
import { durationUnit, findDurationProblem } from '#lib/tasks/durations.ts';
import { isMissing, jsonSetting, numberSetting } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { EXAMPLE_WORKFLOW, type TaskExample } from '#lib/tasks/task-example.ts';
import { callWorkflowKind } from './kind.ts';

const field = z.strictObject({
  name: z
    .string()
    .max(100, 'At most 100 characters.')
    .regex(/^[A-Za-z0-9_]+$/, 'A name has letters, digits and underscores only.')
    .refine((name) => name !== '__proto__', 'This name is reserved. Choose another one.')
    .meta({ title: 'Name', description: 'Letters, digits and underscores.', placeholder: 'order_number' }),
  value: jsonSetting().default('').meta({
    title: 'Value',
    description: 'A text with variables. One variable alone keeps its type.',
    variables: true,
  }),
});

const withLimit = { field: 'wait_for_end', is: ['with_limit'] };

const settings = z
  .strictObject({
    called_workflow: z
      .string()
      .max(100, 'Select a workflow.')
      .refine((id) => !isMissing(id), 'Select a workflow.')
      .meta({
        title: 'Workflow',
        description: 'Each call starts a separate run of its published version.',
        picks: { from: 'workflow' },
      }),
    body_fields: z.array(field).max(200, 'At most 200 fields.').default([]).meta({
      title: 'Body fields',
      description: 'The fields that the trigger of the called workflow gets.',
      secrets: true,
      widget: 'list',
    }),
    wait_for_end: z
      .enum(['until_it_ends', 'with_limit', 'no'])
      .default('until_it_ends')
      .meta({
        title: 'Wait for its end',
        labels: {
          until_it_ends: 'Yes',
          with_limit: 'Yes, up to a limit of time',
          no: 'No, continue at once',
        },
      }),
    limit_amount: numberSetting().default(1).meta({
      title: 'Limit',
      description: 'Then the task fails.',
      variables: true,
      widget: 'number',
      visibleWhen: withLimit,
    }),
    limit_unit: durationUnit('hours').meta({ visibleWhen: withLimit }),
    after_limit: z
      .enum(['cancel', 'leave'])
      .default('cancel')
      .meta({
        title: 'The called run then',
        labels: { cancel: 'is cancelled', leave: 'continues' },
        visibleWhen: withLimit,
      }),
  })
  .check(({ value, issues }) => {
    const seen = new Set<string>();
    value.body_fields.forEach(({ name }, index) => {
      if (seen.has(name) && !isMissing(name)) {
        const message = `The name "${name}" is used twice: each field needs its own name.`;
        issues.push({ code: 'custom', input: name, path: ['body_fields', index, 'name'], message });
      }
      seen.add(name);
    });
    if (value.wait_for_end !== 'with_limit') return;
    const message = findDurationProblem(value.limit_amount, value.limit_unit);
    if (message !== undefined)
      issues.push({ code: 'custom', path: ['limit_amount'], message, input: value.limit_amount });
  });

export type CallWorkflowSettings = z.output<typeof settings>;

/** Runs another workflow of the workspace (docs/engine.md, "Calls"). */
export const callWorkflow = {
  ...callWorkflowKind,
  settings,
  outputs: z.object({
    run_id: z.string().meta({ title: 'Run ID', description: 'Of the called run.' }),
    status: z.string().meta({
      title: 'Status',
      description: 'Of the called run: succeeded, or queued if the task did not wait for its end.',
    }),
    result: z.unknown().meta({
      title: 'Result',
      description:
        'The response body of the called workflow if it responds after the workflow completes, else the output of its last task; null if the task did not wait.',
    }),
  }),
} satisfies TaskDefinition;

export const callWorkflowExample: TaskExample = {
  says: 'Runs a workflow that stores a greeting, and continues with it: `{{task_2_result_greeting}}`.',
  event: { customer: { name: 'Kim' } },
  settings: {
    called_workflow: EXAMPLE_WORKFLOW,
    body_fields: [{ name: 'name', value: '{{task_1_customer_name}}' }],
  },
  output: { run_id: '…', status: 'succeeded', result: { greeting: 'Hi Kim!' } },
};
