import { expect, test } from 'vitest';
import { makeFlow, oneTask } from '../workflows.ts';
import { toNodeRedFlow, toProperty } from './node-red-flow.ts';

test.each([
  ['id', 'payload.id'],
  ['customer.name', 'payload.customer.name'],
  ['task_1_customer_address_city', 'payload.customer.address.city'],
  ['task_1.JSON.items[0].name', 'payload.items[0].name'],
  ['task_23_greeting', 'task23.greeting'],
])('%s is %s', (variable, property) => {
  expect(toProperty(variable)).toBe(property);
});

/** The ids of a node's successors, without the flow's path. */
const wires = (mode: 'immediate' | 'after', id: number | string): unknown =>
  toNodeRedFlow(makeFlow(5, mode), '/five').find((node) => node.id === `/five ${id}`)?.wires;

test('a flow that answers at once answers before its tasks, another one after them', () => {
  expect(wires('immediate', 1)).toEqual([['/five render', '/five 2']]);
  expect(wires('immediate', 5)).toEqual([[]]);
  expect(wires('after', 1)).toEqual([['/five 2']]);
  expect(wires('after', 5)).toEqual([['/five render']]);
  expect(wires('after', 'render')).toEqual([['/five answer']]);
});

test.each([1, 5, 20])('a flow of %i tasks has a node for each, and two that answer', (tasks) => {
  const nodes = toNodeRedFlow(makeFlow(tasks, 'after'), '/flow');
  expect(nodes.filter(({ type }) => type !== 'tab')).toHaveLength(tasks + 2);
});

test('values are put into texts by replacing, and whole values are copied', () => {
  const rules = toNodeRedFlow(makeFlow(5, 'after'), '/five').find(({ id }) => id === '/five 3')?.rules;
  const [name, city] = ['task3.greeting', 'task3.city'];
  expect(rules).toEqual([
    { t: 'set', p: name, pt: 'msg', to: 'Thank you, {{task_1_customer.name}}!', tot: 'str' },
    {
      t: 'change',
      p: name,
      pt: 'msg',
      from: '{{task_1_customer.name}}',
      fromt: 'str',
      to: 'payload.customer.name',
      tot: 'msg',
    },
    { t: 'set', p: city, pt: 'msg', to: 'payload.customer.address.city', tot: 'msg' },
  ]);
});

test('an HTTP request gets its body before the payload is replaced', () => {
  const settings = { method: 'POST', url: 'http://127.0.0.1:1/orders', body: '{"order":"{{task_1_order}}"}' };
  const nodes = toNodeRedFlow(oneTask('http_request', settings), '/call');
  const found = (id: string) => nodes.find((node) => node.id === `/call ${id}`);
  expect(found('1')?.wires).toEqual([['/call render', '/call 2']]);
  expect(found('2')).toMatchObject({
    type: 'change',
    wires: [['/call 2 request']],
    rules: [
      { t: 'set', p: 'body', to: settings.body, tot: 'str' },
      { t: 'change', p: 'body', from: '{{task_1_order}}', to: 'payload.order', tot: 'msg' },
      { t: 'set', p: 'payload', to: 'body', tot: 'msg' },
    ],
  });
  expect(found('2 request')).toMatchObject({
    type: 'http request',
    method: 'POST',
    url: settings.url,
    wires: [[]],
  });
});

test('a URL with variables is the one of the message, and further headers are constant', () => {
  const settings = {
    method: 'POST',
    url: 'http://127.0.0.1:1/{{task_1_from}}/messages',
    headers: [{ name: 'authorization', value: 'Bearer a-token' }],
    body: '{}',
  };
  const nodes = toNodeRedFlow(oneTask('http_request', settings), '/call');
  const found = (id: string) => nodes.find((node) => node.id === `/call ${id}`);
  expect((found('2')?.rules as unknown[]).slice(0, 2)).toEqual([
    { t: 'set', p: 'url', pt: 'msg', to: settings.url, tot: 'str' },
    {
      t: 'change',
      p: 'url',
      pt: 'msg',
      from: '{{task_1_from}}',
      fromt: 'str',
      to: 'payload.from',
      tot: 'msg',
    },
  ]);
  expect(found('2 request')).toMatchObject({
    url: '',
    headers: [
      { keyType: 'Content-Type', valueValue: 'application/json' },
      { keyType: 'other', keyValue: 'authorization', valueType: 'other', valueValue: 'Bearer a-token' },
    ],
  });
});
