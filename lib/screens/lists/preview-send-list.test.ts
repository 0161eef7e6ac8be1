import { expect, test } from 'vitest';
import { compileGraph } from '#lib/engine/graph.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { TaskError } from '#lib/engine/task-executor.ts';
import { evaluateSetting } from '#lib/tasks/evaluate-setting.ts';
import { instantTasks } from '#lib/tasks/instant-tasks.ts';
import { toText } from '#lib/variables/to-text.ts';
import { previewMessages } from './preview-send-list.ts';

const sent: unknown[] = [];

/** Sends the text of its settings. */
const sender: TaskExecutor = {
  async execute({ settings, scope, ...task }) {
    const text = toText(evaluateSetting(settings['message_text'], scope));
    if (text === '') throw new TaskError('empty', 'The text is empty.');
    const shown = { kind: 'message', text };
    await task.changeOutside(
      { target: { kind: 'person', id: '1' }, shown: () => shown, instead: () => undefined },
      () => Promise.resolve(void sent.push(shown)),
    );
    return { kind: 'done', output: null, runText: 'Sent.' };
  },
};

const sending = (id: number, text: string): WorkflowTask => ({
  id,
  type: 'messaging_business',
  name: `Send ${id}`,
  settings: { action: 'send_text', recipient: '{{task_1_phone}}', message_text: text },
});

const graph = compileGraph({
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
    {
      id: 2,
      type: 'if_condition',
      name: 'Adult?',
      settings: {
        match: 'all',
        conditions: [{ left: '{{task_1_age}}', operator: 'at_least', right: '18' }],
      },
    },
    sending(3, 'Hello {{task_1_name}}'),
    sending(4, '{{task_1_parent}}'),
    {
      id: 5,
      type: 'http_request',
      name: 'Ask the shop',
      settings: { method: 'GET', url: 'https://a.example' },
    },
    sending(6, 'After the shop answered'),
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'true' },
    { from: 2, to: 4, branch: 'false' },
    { from: 3, to: 5 },
    { from: 5, to: 6 },
  ],
});

const preview = (body: Record<string, string>) =>
  previewMessages({
    workspaceId: 'w',
    workflowId: 'f',
    version: 1,
    graph,
    body,
    findExecutor: (type) => (type === 'messaging_business' ? sender : instantTasks.findExecutor(type)),
  });

test('only the branch of the row is shown, up to a task that asks another service, and nothing is sent', async () => {
  const messages = await preview({ name: 'Ana', age: '20' });
  expect(messages).toEqual([
    { taskId: 3, taskName: 'Send 3', captured: '{"kind":"message","text":"Hello Ana"}', problem: null },
  ]);
  expect(sent).toEqual([]);
});

test('a message that would fail has its reason', async () => {
  expect(await preview({ name: 'Ben', age: '7', parent: '' })).toEqual([
    { taskId: 4, taskName: 'Send 4', captured: null, problem: 'The text is empty.' },
  ]);
});
