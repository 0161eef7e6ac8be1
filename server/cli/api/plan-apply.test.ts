import { expect, test } from 'vitest';
import { planApply } from './plan-apply.ts';
import { type Drawing, readFile, toFile, writeFile } from './workflow-file.ts';
import type { Connection, Workflow } from './workflows.ts';

const connection = (id: string, name: string, business_account_id: string): Connection =>
  ({ id, name, business_account_id }) as Connection;
const SHOP = connection('0198f6a2-0000-7000-8000-000000000001', 'Shop', '1001');

const workflow = (headers: object[], more: object = {}): Workflow =>
  ({
    id: 'w1',
    name: 'Orders',
    tasks: [
      { id: 2, name: 'Call', settings: { url: 'https://example.com', headers }, type: 'http_request' },
      { type: 'inbound_webhook', id: 1, name: 'Trigger', settings: {} },
    ],
    edges: [{ to: 2, from: 1 }],
    ...more,
  }) as unknown as Workflow;

const SECRET = { name: 'X-Key', value: '••••••(abcdefghijklmnop)' };
const OPEN = { name: 'Accept', value: 'text/plain' };
const target = (workflows: Workflow[], connections = [SHOP]) => ({
  workflows,
  connections,
  replacements: {},
});
const fileOf = (drawing: Drawing) => readFile(writeFile(toFile(drawing, [SHOP])), 'orders.json');

test('a file has one order, whatever order the API answers in', () => {
  const text = writeFile(toFile(workflow([SECRET]), [SHOP]));
  expect(text).not.toContain('abcdefghijklmnop');
  const { tasks } = JSON.parse(text) as { tasks: object[] };
  expect(tasks.map((task) => Object.keys(task))).toEqual([
    ['id', 'type', 'name', 'settings'],
    ['id', 'type', 'name', 'settings'],
  ]);
  const other = workflow([SECRET]);
  expect(writeFile(toFile({ ...other, tasks: other.tasks.toReversed() }, [SHOP]))).toBe(text);
});

test('numbers keep their digits', () => {
  const text = '{"name": "A", "tasks": [{"id": 1, "type": "t", "settings": {"n": 12345678901234567890}}]}';
  expect(writeFile(readFile(text, 'a.json'))).toContain('"n": 12345678901234567890');
});

test('a secret stays with the header of its name', () => {
  const file = fileOf(workflow([OPEN, SECRET]));
  const plan = planApply(file, 'orders.json', target([workflow([SECRET])]));
  expect(plan.action).toBe('update');
  expect(plan.drawing.tasks.find(({ id }) => id === 2)?.settings).toMatchObject({ headers: [OPEN, SECRET] });
  expect(planApply(file, 'orders.json', target([workflow([OPEN, SECRET])])).action).toBe('unchanged');
});

test('a name that means two workflows is refused, and so is an id that means none', () => {
  const file = fileOf(workflow([]));
  const two = [workflow([]), workflow([], { id: 'w2' })];
  expect(() => planApply(file, 'orders.json', target(two))).toThrow('2 workflows are called “Orders”');
  expect(planApply({ ...file, id: 'w2' }, 'orders.json', target(two)).current?.id).toBe('w2');
  expect(() => planApply({ ...file, id: 'w3' }, 'orders.json', target(two))).toThrow('Remove the id');
});

const told = (message_text: string) => ({
  name: 'Tell',
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} },
    {
      id: 2,
      type: 'messaging_business',
      name: 'Tell',
      settings: { action: 'send_text', app_connection_id: SHOP.id, message_text },
    },
  ],
  edges: [{ from: 1, to: 2 }],
});

test.each(['connection: lost', 'connection:Shop', `Ask for ${SHOP.id}`, SHOP.id])(
  'only the setting of a connection names one: the text “%s” stays',
  (text) => {
    const file = fileOf(told(text) as unknown as Drawing);
    expect(file.tasks[1]?.settings).toMatchObject({
      app_connection_id: 'connection:Shop',
      message_text: text,
    });
    const { drawing } = planApply(file, 'tell.json', target([]));
    expect(drawing.tasks[1]?.settings).toMatchObject({ app_connection_id: SHOP.id, message_text: text });
  },
);

test('a trigger names the connection whose messages start the workflow', () => {
  const settings = { app_connection_id: SHOP.id, words: ['table'] };
  const trigger = { id: 1, type: 'message_trigger', name: 'Trigger', settings };
  const listening = { ...workflow([]), tasks: [trigger], edges: [] } as unknown as Workflow;
  const file = fileOf(listening);
  expect(file.tasks[0]?.settings).toEqual({ ...settings, app_connection_id: 'connection:Shop' });
  expect(planApply(file, 'a.json', target([])).drawing.tasks[0]?.settings).toEqual(settings);
  expect(planApply(file, 'a.json', target([listening])).action).toBe('unchanged');
  const [written] = file.tasks;
  const older = {
    ...file,
    tasks: [
      { ...written, type: 'inbound_webhook', settings: { starts_on: 'messages', ...written?.settings } },
    ],
  } as typeof file;
  expect(planApply(older, 'a.json', target([listening])).action).toBe('unchanged');
  const deaf = { ...listening, tasks: [{ ...trigger, settings: {} }] } as unknown as Workflow;
  expect(planApply(file, 'a.json', target([deaf])).action).toBe('update');
});

test('a connection that is missing, or there several times, is said with its file and task', () => {
  const file = fileOf(told('Hello') as unknown as Drawing);
  expect(() => planApply(file, 'tell.json', target([], []))).toThrow(
    'tell.json: task 2: there is no connection “Shop” here.',
  );
  expect(() => planApply(file, 'tell.json', target([], [SHOP, { ...SHOP, id: 'c2' }]))).toThrow(
    'tell.json: task 2: 2 connections are called “Shop”.',
  );
});

test.each([
  ['{', 'is not JSON'],
  ['[]', 'not a JSON object'],
  ['{"tasks": []}', 'enter a name'],
  ['{"name": "A", "tasks": [{"id": 1, "type": "t"}, {"id": "1"}]}', 'tasks[1]: a task has a number as id'],
  ['{"name": "A", "tasks": [], "webhook": {}}', 'remove “webhook”'],
])('%s is refused', (text, why) => {
  expect(() => readFile(text, 'a.json')).toThrow(why);
});
