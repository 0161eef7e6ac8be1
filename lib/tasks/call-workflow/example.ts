import { EXAMPLE_WORKFLOW, type TaskExample } from '#lib/tasks/task-example.ts';

export const callWorkflowExample: TaskExample = {
  says: 'Runs a workflow that stores a greeting, and continues with it: `{{task_2_result_greeting}}`.',
  event: { customer: { name: 'Kim' } },
  settings: {
    called_workflow: EXAMPLE_WORKFLOW,
    body_fields: [{ name: 'name', value: '{{task_1_customer_name}}' }],
  },
  output: { run_id: '…', status: 'succeeded', result: { greeting: 'Hi Kim!' } },
};
