import { expect, test } from 'vitest';
import { toOpenApi } from '#lib/api/openapi.ts';
import { OPERATIONS } from '#lib/api/operations/operations.ts';
import { TASK_DEFINITIONS } from '#lib/tasks/registry.ts';
import { listTools, type OpenApiDocument } from './list-tools.ts';

/** Models read every tool at the start; an edit key gets almost all. */
const MAX_CHARACTERS = 56_000;

const tools = listTools(toOpenApi(OPERATIONS, 'https://x') as unknown as OpenApiDocument);
const find = (name: string) => tools.find((tool) => tool.name === name);

test('every operation is a tool with the scope it declares, but for secrets, files and what nothing brings back', () => {
  const known = OPERATIONS.filter(({ isTool }) => isTool).map(({ id, scope }) => [id, scope]);
  expect(tools.map(({ name, scope }) => [name, scope]).sort()).toEqual(known.sort());
  expect(
    OPERATIONS.filter(({ isTool }) => !isTool)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([
    'createAlertDestination',
    'createApiKey',
    'createConnection',
    'createList',
    'deleteList',
    'eraseCustomer',
    'exportCustomer',
    'exportDeliveryReport',
    'exportEvents',
    'exportMessages',
    'exportRuns',
    'getList',
    'listLists',
    'listRows',
    'mapList',
    'pauseList',
    'purgeWorkflow',
    'registerPhoneNumber',
    'resumeList',
    'retryList',
    'rotateToken',
    'setSecret',
    'startList',
    'stopList',
  ]);
});

test('an operation that names no scope is for keys that may do everything', () => {
  const path = { get: { operationId: 'x', summary: 'X.', responses: {} } };
  const [tool] = listTools({ paths: { '/x': path }, components: { schemas: {} } });
  expect(tool?.scope).toBe('admin');
});

test('schemas are whole, and short enough to be read', () => {
  const text = JSON.stringify(
    tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]),
  );
  expect(text).not.toContain('$ref');
  expect(text.length, 'Shorten what you added, or raise MAX_CHARACTERS a little.').toBeLessThan(
    MAX_CHARACTERS,
  );
});

test("a task's type is one of a list, and its settings are described elsewhere", () => {
  expect(find('replaceDraft')?.inputSchema).toMatchObject({
    required: ['id', 'body'],
    properties: {
      body: {
        properties: {
          tasks: {
            items: {
              properties: {
                id: { type: 'integer' },
                type: { type: 'string', enum: [...TASK_DEFINITIONS.keys()] },
                settings: { type: 'object', description: expect.any(String) as string },
              },
            },
          },
        },
      },
    },
  });
});

test('tools say what they do to others', () => {
  const of = (name: string) => find(name)?.annotations;
  expect(of('listRuns')).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  expect(of('createWorkflow')).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  expect(of('replaceDraft')).toMatchObject({ destructiveHint: true, idempotentHint: true });
  expect(of('retryRun')).toMatchObject({ destructiveHint: true, idempotentHint: false, openWorldHint: true });
});
