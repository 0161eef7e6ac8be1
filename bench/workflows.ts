// The workflows of the measurements.
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';

const RECEIVED = '{"status":"received","order":"{{id}}","customer":"{{customer.name}}"}';

const trigger = (response_type: string, response_body = RECEIVED): WorkflowTask => ({
  id: 1,
  type: 'inbound_webhook',
  name: 'Order arrives',
  settings: {
    response_type,
    response_body,
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

export type AnswerMode = 'immediate' | 'after';

/**
 * A chain of this many tasks, all executed and recorded: the trigger, then repeatedly a condition and three tasks that set
 * variables. One task is the trigger alone, which renders the response. With an after-workflow response, callers get the last
 * variable.
 */
export function makeFlow(tasks: number, mode: AnswerMode): WorkflowGraph {
  const further = Array.from({ length: tasks - 1 }, (_, index) => makeTask(index + 2));
  const first =
    mode === 'immediate' ? trigger('immediate') : trigger('after_workflow', renderLastVariable(further));
  return {
    tasks: [first, ...further],
    edges: further.map(({ id }, index) => ({
      from: id - 1,
      to: id,
      ...(index % 4 === 1 ? { branch: 'true' } : {}),
    })),
  };
}

function renderLastVariable(tasks: readonly WorkflowTask[]): string | undefined {
  const last = tasks.findLast(({ type }) => type === 'set_variables');
  const [variable] = last ? (last.settings.variables as { name: string }[]).slice(-1) : [];
  return last && variable && `{"text":"{{task_${last.id}_${variable.name}}}"}`;
}

/** The second to fifth task, and after them the same four again with the next ids. */
function makeTask(id: number): WorkflowTask {
  const place = (id - 2) % 4;
  const first = id - place;
  if (place === 0) return condition(id, '{{task_1_total}}', 'greater_than', '100');
  if (place === 1)
    return setVariables(
      id,
      ['greeting', 'Thank you, {{task_1_customer.name}}!'],
      ['city', '{{task_1_customer_address_city}}'],
    );
  if (place === 2)
    return setVariables(id, [
      'note',
      `Order {{task_1_id}} of {{task_1.JSON.items[0].name}} goes to {{task_${first + 1}_city}}`,
    ]);
  return setVariables(id, ['text', `{{task_${first + 1}_greeting}} {{task_${first + 2}_note}}`]);
}

/** Five tasks: the trigger, a condition and three that set variables. */
export const FIVE_TASKS: WorkflowGraph = makeFlow(5, 'immediate');

/** Four tasks whose caller waits for the text of the last one. */
export const ANSWERED: WorkflowGraph = {
  tasks: [
    trigger('after_workflow', '{"text":"{{task_4_text}}","run":{{task_4_run}}}'),
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

/** A loop over the items of the trigger, with one task in it. @param at_once how many items run at the same time */
export const oneTaskForEach = (
  items: string,
  type: string,
  settings: WorkflowTask['settings'],
  at_once = 1,
): WorkflowGraph => ({
  tasks: [
    trigger('immediate', '{"status":"received"}'),
    {
      id: 2,
      type: 'loop',
      name: 'For each',
      settings: { items, pause_seconds: 0, at_once, on_item_failure: 'stop' },
    },
    { id: 3, type, name: 'Task', settings },
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'each' },
  ],
});

/** Responds with its `text`. */
export const ECHO: WorkflowGraph = {
  tasks: [
    {
      ...trigger('immediate'),
      settings: { ...trigger('immediate').settings, response_body: '{"text":"{{text}}"}' },
    },
  ],
  edges: [],
};

/** A trigger that answers immediately, and one task. */
export const oneTask = (type: string, settings: WorkflowTask['settings']): WorkflowGraph => ({
  tasks: [trigger('immediate', '{"status":"received"}'), { id: 2, type, name: 'Task', settings }],
  edges: [{ from: 1, to: 2 }],
});
