import { expect, test } from 'vitest';
import { TASK_DEFINITIONS } from '#lib/tasks/registry.ts';
import { toOpenApi } from './openapi.ts';
import { OPERATIONS } from './operations/operations.ts';

interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<
    string,
    Record<
      string,
      { operationId: string; parameters?: { name: string; in: string }[]; responses: Record<string, unknown> }
    >
  >;
  components: {
    schemas: Record<
      string,
      { oneOf?: { properties: { type: { const: string }; settings: { $ref: string } } }[] }
    >;
  };
}

const document = JSON.parse(JSON.stringify(toOpenApi(OPERATIONS, 'https://patchbay.example'))) as Document;

test('every operation is documented under its path and method, with its parameters', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://patchbay.example/api/v1' }] });
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
  const names = document.paths['/runs/{id}/tasks/{task_id}/resolve']?.['post']?.parameters?.map(
    ({ name }) => name,
  );
  expect(names).toEqual(['id', 'task_id']);
  expect(document.paths['/events']?.['get']?.parameters?.map(({ name }) => name)).toEqual([
    'limit',
    'cursor',
    'search',
    'from',
    'to',
    'workflow_id',
    'outcome',
  ]);
});

test('names of operations are unique', () => {
  const ids = OPERATIONS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every reference leads to a component', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref);
  expect(references.length).toBeGreaterThan(10);
  const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
  expect(references.filter((ref) => !known.includes(ref ?? ''))).toEqual([]);
});

test("a task's settings are documented by its type", () => {
  const variants = document.components.schemas['Task']?.oneOf ?? [];
  expect(variants.map(({ properties }) => properties.type.const)).toEqual([...TASK_DEFINITIONS.keys()]);
  expect(document.components.schemas['InboundWebhookSettings']).toMatchObject({
    properties: { response_type: { enum: ['immediate', 'redirect', 'after_workflow'] } },
  });
});
