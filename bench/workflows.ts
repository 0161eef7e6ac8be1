// The workflows that are measured.
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';

const trigger = (response_type: string): WorkflowTask => ({
  id: 1,
  type: 'inbound_webhook',
  name: 'Order arrives',
  settings: {
    response_type,
    response_body: '{"status":"received","order":"{{id}}","customer":"{{customer.name}}"}',
    response_format: 'auto',
    redirect_url: '',
  },
});

const setVariables = (id: number, ...variables: [name: string, value: string][]): WorkflowTask => ({
  id,
  type: 'set_variables',
  name: `Set variables ${id}`,
  settings: { variables: variables.map(([name, value]) => ({ name, value })) },
});

const condition = (id: number, left: string, operator: string, right: string): WorkflowTask => ({
  id,
  type: 'if_condition',
  name: `Is it so ${id}`,
  settings: { match: 'all', conditions: [{ left, operator, right }] },
});

/** Trigger, two conditions' worth of work and variables: five tasks of which every one is recorded. */
export const FIVE_TASKS: WorkflowGraph = {
  tasks: [
    trigger('immediate'),
    condition(2, '{{task_1_total}}', 'greater_than', '100'),
    setVariables(
      3,
      ['greeting', 'Thank you, {{task_1_customer.name}}!'],
      ['city', '{{task_1_customer_address_city}}'],
    ),
    setVariables(4, ['note', 'Order {{task_1_id}} of {{task_1.JSON.items[0].name}} goes to {{task_3_city}}']),
    setVariables(5, ['text', '{{task_3_greeting}} {{task_4_note}}']),
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'true' },
    { from: 3, to: 4 },
    { from: 4, to: 5 },
  ],
};

/** Four tasks behind a caller who waits for the text of the last one. */
export const ANSWERED: WorkflowGraph = {
  tasks: [
    {
      ...trigger('after_workflow'),
      settings: {
        ...trigger('after_workflow').settings,
        response_body: '{"text":"{{task_4_text}}","run":{{task_4_run}}}',
      },
    },
    condition(2, '{{task_1_total}}', 'greater_than', '100'),
    setVariables(3, ['greeting', 'Thank you, {{task_1_customer.name}}!']),
    setVariables(4, ['text', '{{task_3_greeting}} Order {{task_1_id}}']),
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'true' },
    { from: 3, to: 4 },
  ],
};

const loop = (id: number, count: number, pause_seconds: number): WorkflowTask => ({
  id,
  type: 'loop',
  name: `Loop ${id}`,
  settings: { count, pause_seconds, on_item_failure: 'stop' },
});

/** A loop with two tasks in it. */
export const oneLoop = (count: number, pauseSeconds: number): WorkflowGraph => ({
  tasks: [
    trigger('immediate'),
    loop(2, count, pauseSeconds),
    setVariables(3, ['text', 'Item {{task_2_index}} of order {{task_1_id}}']),
    setVariables(4, ['copy', '{{task_3_text}}']),
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'each' },
    { from: 3, to: 4 },
  ],
});

/** A loop in a loop, with a task in the inner one. */
export const nestedLoop = (outer: number, inner: number): WorkflowGraph => ({
  tasks: [
    trigger('immediate'),
    loop(2, outer, 0),
    loop(3, inner, 0),
    setVariables(4, ['text', 'Item {{task_2_index}}.{{task_3_index}}']),
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'each' },
    { from: 3, to: 4, branch: 'each' },
  ],
});
