// The promise of lib/tasks/README.md: a task type that was added in one folder, and registered, is available everywhere.
import { beforeAll, describe, expect, test } from 'vitest';
import { groupOffers } from '#components/canvas/offer-groups.ts';
import { toNodes } from '#components/canvas/to-flow.ts';
import { toOpenApi } from '#lib/api/openapi.ts';
import { OPERATIONS } from '#lib/api/operations/operations.ts';
import { exampleBody } from '#lib/editor/canvas/example-body.ts';
import { exitsOf } from '#lib/tasks/exits.ts';
import { findProblems } from '#lib/editor/canvas/find-problems.ts';
import { escapeOf, findPickedFrom, listFormFields } from '#lib/editor/canvas/form-fields.ts';
import { toPicture } from '#lib/editor/canvas/to-picture.ts';
import { compileGraph } from '#lib/engine/graph.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { advanceRun } from '#lib/engine/run.ts';
import { RunState } from '#lib/engine/run-state.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { listConnectionIds } from '#lib/tasks/picks.ts';
import { loadFurtherChecks } from '#lib/tasks/check-settings.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { renderTaskDocs } from '#lib/tasks/render-task-docs.ts';
import { addTaskType } from '#lib/tasks/testing/add-task-type.ts';
import { countLetters } from '#lib/tasks/testing/made-up/definition.ts';
import { countLettersExecutor } from '#lib/tasks/testing/made-up/execute.ts';
import { countLettersKind } from '#lib/tasks/testing/made-up/kind.ts';
import { checkGraph } from '#lib/workflows/check-graph.ts';

const TYPE = 'count_letters';

beforeAll(() => addTaskType(countLettersKind, countLetters, countLettersExecutor));

const position = { x: 0, y: 0 };

const drawingOf = (settings: Record<string, unknown>, more: Partial<WorkflowTask> = {}) => ({
  name: 'Letters',
  notes: [],
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'In', settings: {}, position },
    { id: 2, type: TYPE, name: 'Is it long?', settings, position, ...more },
    ...[3, 4].map((id): WorkflowTask => {
      const variables = [{ name: 'count', value: '{{task_2_letters}}' }];
      return { id, type: 'set_variables', name: `Task ${id}`, settings: { variables }, position };
    }),
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'long' },
    { from: 2, to: 4, branch: 'short' },
  ],
});

const fieldsOf = () => listFormFields(findTaskDefinition(TYPE)?.settings ?? expect.unreachable());

test('palette: it is offered in its category, and found by its words', () => {
  const { name, summary } = countLettersKind;
  const offer = expect.objectContaining({ id: TYPE, name, summary }) as unknown;
  expect(groupOffers().find(({ title }) => title === 'Data')?.offers).toContainEqual(offer);
  expect(groupOffers('length text')).toEqual([{ title: 'Results', offers: [offer] }]);
});

test('canvas: its card has its exits, and its edges their colors', () => {
  const document = drawingOf({});
  expect(exitsOf({ type: TYPE, settings: {}, on_failure: 'branch' }).map(({ label }) => label)).toEqual([
    'Long',
    'Short',
    'Failed',
  ]);
  const node = toNodes({ document, selection: new Set() }, []).find(({ id }) => id.endsWith('2'));
  expect(node?.data).toMatchObject({ exits: [{ color: 'positive' }, { color: 'negative' }] });
  expect(toPicture(document)).toContain('Count letters');
});

test('form: a field for each setting, with its choices, its picker and its escaping', () => {
  const fields = fieldsOf();
  expect(fields.map(({ title, kind }) => `${title}: ${kind}`)).toEqual([
    'Text: text',
    'Long from: number',
    'Spaces: enum',
    'Connection: text',
    'API key: text',
  ]);
  expect(findPickedFrom(fields, 'connection')).toBe('account_link');
  expect(fields.map((field) => escapeOf(field, {}))).toEqual(['url', 'none', 'none', 'none', 'none']);
  expect(listConnectionIds({ type: TYPE, settings: { account_link: 'c1' } })).toEqual(['c1']);
});

test('example request: it asks for the value that its settings want', () => {
  expect(exampleBody(drawingOf({ text: '{{task_1_motto}}' }))).toEqual({ motto: 'A long enough motto' });
});

test('checks: its schema, its variables, its branches and its further check', async () => {
  const { tasks, edges } = drawingOf({ text: '{{task_9_none}}', long_from: 0, spaces: 'few' });
  const drawing = { tasks, edges: edges.map((edge) => (edge.to === 4 ? { from: 2, to: 4 } : edge)) };
  const problems = findProblems(drawing, await loadFurtherChecks(drawing.tasks));
  expect(problems.map(({ taskId, message }) => `${taskId}: ${message}`)).toEqual([
    '4: "Is it long?" (task 2) has several branches: set branch to one of long, short.',
    '2: This must be one of "count", "skip".',
    '2: Every text is long then.',
    '2: {{task_9_none}}: no task has the ID 9.',
  ]);
  const whatOthersGive = drawingOf({ text: 'x' });
  for (const task of whatOthersGive.tasks.slice(2))
    task.settings = { variables: [{ name: 'a', value: '{{task_2_word}}' }] };
  expect(findProblems(whatOthersGive)[0]?.message).toBe(
    '{{task_2_word}}: Count letters has no output "word": it has letters.',
  );
});

describe('run', () => {
  /** Task runs by id, after publishing the workflow and running it in memory. */
  async function run(text: string, more: Partial<WorkflowTask> = {}) {
    const published = await checkGraph(drawingOf({ text: '{{task_1_text}}' }, more), 'publish');
    const event = { id: 'event', isReplay: false, body: { text }, headers: {} };
    const ids = { id: 'run', epoch: 1, workspaceId: 'workspace', workflowId: 'workflow', version: 1 };
    const state = new RunState({ ...ids, awaitsAnswer: false, event }, compileGraph(published), []);
    await advanceRun(state, {
      store: { write: () => Promise.resolve(true), loadSignals: () => Promise.resolve([]) },
      findExecutor,
      clock: { now: () => new Date(0) },
      random: () => 0.5,
      renderAnswer: () => expect.unreachable(),
      onUnexpectedError: (error) => {
        throw error;
      },
      stopping: new AbortController().signal,
    });
    return Object.fromEntries([...state.all()].map((taskRun) => [taskRun.taskId, taskRun]));
  }

  test('its settings come with their defaults, and its branch is taken', async () => {
    const taskRuns = await run('Hello there');
    expect(taskRuns[2]).toMatchObject({ status: 'succeeded', branch: 'long', output: { letters: 10 } });
    expect(taskRuns[3]).toMatchObject({ status: 'succeeded', output: { count: 10 } });
    expect(taskRuns[4]).toMatchObject({ status: 'skipped' });
  });

  test('when it failed and the run continues, the branch that it names is taken', async () => {
    const taskRuns = await run('', { on_failure: 'continue' });
    expect(taskRuns[2]).toMatchObject({ status: 'failed', error: { code: 'no_letters' } });
    expect(taskRuns[3]).toMatchObject({ status: 'skipped' });
    expect(taskRuns[4]).toMatchObject({ status: 'succeeded' });
  });
});

test('API: its settings are a schema of the OpenAPI document, without what only forms need', () => {
  const { components } = toOpenApi(OPERATIONS, 'https://made-up.example') as {
    components: { schemas: Record<string, { oneOf?: { properties: { type: unknown } }[] }> };
  };
  expect(components.schemas['CountLettersSettings']).toMatchObject({
    title: 'Count letters',
    required: ['text'],
    properties: { text: { 'x-variables': true }, long_from: { default: 10 } },
  });
  expect(JSON.stringify(components.schemas['CountLettersSettings'])).not.toMatch(/picks|escape|secrets/);
  expect(components.schemas['Task']?.oneOf?.at(-1)?.properties.type).toEqual({ const: TYPE });
});

test('docs: the page of task types has it', () => {
  expect(renderTaskDocs()).toContain(`## Count letters (\`count_letters\`)

Takes one of two branches by the length of a text.

Branches: \`long\`, \`short\`.

| setting | meaning |
|---|---|
| \`text\` | **Text** \`{{…}}\`. Its letters are counted. |
| \`long_from\` | **Long from**. Default: \`10\`. |
| \`spaces\` | **Spaces**. One of \`count\` (Count), \`skip\` (Skip). Default: \`skip\`. |
| \`account_link\` | **Connection** \`{{…}}\`. |
| \`api_key\` | **API key** \`{{…}}\`. |

| output | meaning |
|---|---|
| \`letters\` | **Letters**. How many there are. |
`);
});
