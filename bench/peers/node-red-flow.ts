// One of our workflows as a flow of Node-RED's own nodes: an "http in" for the trigger, a switch for a condition, a change for
// a task that sets variables, a change and an "http request" for an HTTP request, and a change with an "http response" for the
// answer. No node runs a user's code or JSONata:
// change nodes put values into texts by replacing, which costs Node-RED less.
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';

export interface NodeRedNode {
  id: string;
  type: string;
  [property: string]: unknown;
}

interface Rule {
  t: 'set' | 'change';
  /** The message's property that is written. */
  p: string;
  pt: 'msg';
  from?: string;
  fromt?: 'str';
  to: string;
  tot: 'str' | 'msg';
}

/** The nodes of one workflow, which receives POST requests at the path and responds according to its trigger. */
export function toNodeRedFlow(graph: WorkflowGraph, path: string): NodeRedNode[] {
  const tab = `tab ${path}`;
  const idOf = (name: string | number): string => `${path} ${name}`;
  const [trigger, ...tasks] = graph.tasks;
  if (!trigger) throw new Error('A workflow has a trigger.');
  const isAnsweredAfter = trigger.settings.response_type === 'after_workflow';
  const next = (id: number): string[] =>
    graph.edges.filter(({ from }) => from === id).map(({ to }) => idOf(to));
  const wiresOf = (id: number): string[][] => {
    const wires = next(id);
    const isAnswered = isAnsweredAfter ? wires.length === 0 : id === trigger.id;
    return [isAnswered ? [idOf('render'), ...wires] : wires];
  };
  return [
    { id: tab, type: 'tab', label: path },
    { id: idOf(trigger.id), z: tab, type: 'http in', url: path, method: 'post', wires: wiresOf(trigger.id) },
    ...tasks.flatMap((task): NodeRedNode[] => {
      const own = { id: idOf(task.id), z: tab };
      if (task.type !== 'http_request') return [{ ...toNode(task), ...own, wires: wiresOf(task.id) }];
      const { settings } = task;
      const request = { ...toRequest(settings), id: idOf(`${task.id} request`), z: tab };
      const address = hasVariables(settings.url) ? renderInto('url', settings.url as string) : [];
      const rules = [...address, ...renderPayload('body', settings.body as string)];
      const body = { type: 'change', rules };
      return [
        { ...body, ...own, wires: [[request.id]] },
        { ...request, wires: wiresOf(task.id) },
      ];
    }),
    {
      id: idOf('render'),
      z: tab,
      type: 'change',
      rules: renderPayload('answer', trigger.settings.response_body as string),
      wires: [[idOf('answer')]],
    },
    {
      id: idOf('answer'),
      z: tab,
      type: 'http response',
      statusCode: '200',
      headers: { 'Content-Type': 'application/json' },
      wires: [],
    },
  ];
}

interface Condition {
  left: string;
  operator: string;
  right: string;
}

function toNode({ id, type, settings }: WorkflowTask): Record<string, unknown> & { type: string } {
  if (type === 'set_variables') {
    const variables = settings.variables as { name: string; value: string }[];
    return {
      type: 'change',
      rules: variables.flatMap(({ name, value }) => renderInto(`task${id}.${name}`, value)),
    };
  }
  const [condition] = (settings.conditions ?? []) as Condition[];
  if (type !== 'if_condition' || condition?.operator !== 'greater_than')
    throw new Error(`There is no node of Node-RED for task ${id}.`);
  return {
    type: 'switch',
    property: toProperty(condition.left.slice(2, -2)),
    propertyType: 'msg',
    rules: [{ t: 'gt', v: condition.right, vt: 'num' }],
    checkall: 'true',
    outputs: 1,
  };
}

const hasVariables = (text: unknown): boolean => /\{\{/.test(String(text));

/** Its body is the message's payload, and its URL the message's where that has variables. Connections are kept, as ours are. */
const toRequest = ({ method, url, headers = [] }: WorkflowTask['settings']) => ({
  type: 'http request',
  method,
  url: hasVariables(url) ? '' : url,
  ret: 'txt',
  persist: true,
  headers: [
    { keyType: 'Content-Type', keyValue: '', valueType: 'other', valueValue: 'application/json' },
    ...(headers as { name: string; value: string }[]).map(({ name, value }) => ({
      keyType: 'other',
      keyValue: name,
      valueType: 'other',
      valueValue: value,
    })),
  ],
});

/** As the payload becomes the text only afterwards, the text can hold its values. */
const renderPayload = (property: string, text: string): Rule[] => [
  ...renderInto(property, text),
  { t: 'set', p: 'payload', pt: 'msg', to: property, tot: 'msg' },
];

/** The rules of a change node that put a text with variables into a property. */
function renderInto(p: string, text: string): Rule[] {
  const variables = [...new Set(text.match(/\{\{[^}]+\}\}/g))];
  const target = { p, pt: 'msg' } as const;
  if (variables[0] === text) return [{ t: 'set', ...target, to: toProperty(text.slice(2, -2)), tot: 'msg' }];
  return [
    { t: 'set', ...target, to: text, tot: 'str' },
    ...variables.map((from): Rule => {
      const to = toProperty(from.slice(2, -2));
      return { t: 'change', ...target, from, fromt: 'str', to, tot: 'msg' };
    }),
  ];
}

/** Where a variable is in Node-RED's message: the body is its payload, and each task keeps its variables in one property. */
export function toProperty(variable: string): string {
  const [, id, path = variable] = /^task_(\d+)(?:_|\.JSON\.)(.+)$/.exec(variable) ?? [];
  return id === undefined || id === '1' ? `payload.${path.replaceAll('_', '.')}` : `task${id}.${path}`;
}
