// The OpenAPI 3.1 document, built from the same table and schemas that requests use.
import * as z from 'zod';
import { KEY_SCOPES, SCOPE_DESCRIPTIONS } from '#lib/identity/api-keys/scopes.ts';
import { ERROR_CODES, type ErrorCode, statusOf } from '#lib/core/errors.ts';
import { describeTaskTypes } from '#lib/tasks/render-task-docs.ts';
import { API_ROOT } from './match-path.ts';
import type { Operation } from './operation.ts';

type Json = Record<string, unknown>;

const OF_ALL: readonly ErrorCode[] = ['unauthorized', 'forbidden', 'internal', 'overloaded'];

/** Codes of the platform's errors besides `upstream_failed` (lib/messaging/platform/platform-error.ts). */
const OF_PLATFORM: readonly ErrorCode[] = ['rate_limited', 'invalid_request', 'not_found'];

const errorSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(ERROR_CODES).meta({ description: 'docs/api.md says what to do.' }),
      message: z.string(),
      problems: z
        .array(z.strictObject({ path: z.string(), message: z.string() }))
        .optional()
        .meta({ description: 'What is wrong, by path, such as `tasks[2].settings.url`.' }),
    }),
  })
  .meta({ id: 'Error' });

let made: { baseUrl: string; document: Json } | undefined;

/** The document; built once. */
export function toOpenApi(operations: readonly Operation[], baseUrl: string): Json {
  if (made?.baseUrl !== baseUrl) made = { baseUrl, document: makeDocument(operations, baseUrl) };
  return made.document;
}

function makeDocument(operations: readonly Operation[], baseUrl: string): Json {
  const schemas = new SchemaCollector();
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, schemas),
    };
  }
  schemas.addTaskTypes();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Patchbay',
      version: '1',
      description: 'Webhook in, conversation out: workflows, events and runs.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${baseUrl}${API_ROOT}` }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key, created in Settings. Scopes: ${KEY_SCOPES.map((scope) => `\`${scope}\`: ${SCOPE_DESCRIPTIONS[scope]}`).join(' ')}`,
        },
      },
      schemas: schemas.components,
    },
  };
}

function describe(operation: Operation, schemas: SchemaCollector): Json {
  const parameters = [...pathParameters(operation.path), ...queryParameters(operation, schemas)];
  const { body, status } = operation;
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: `Needs an API key with the scope \`${operation.scope}\`.`,
    security: [{ apiKey: [operation.scope] }],
    ...(operation.isTool ? {} : { 'x-no-tool': true }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: !operation.isBodyOptional,
            content: { ...json(schemas.add(body, 'input')), ...files(operation.fileTypes) },
          },
        }
      : {}),
    responses: {
      [status]: describeAnswer(operation, schemas),
      ...errorResponses(operation, schemas),
    },
  };
}

function describeAnswer({ response, mediaTypes }: Operation, schemas: SchemaCollector): Json {
  if (mediaTypes) return { description: 'The file, as long as it takes.', content: files(mediaTypes) };
  if (!response) return { description: 'Done.' };
  return { description: 'Done.', content: json(schemas.add(response, 'output')) };
}

const files = (types: readonly string[]): Json =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));

const json = (schema: Json): Json => ({ 'application/json': { schema } });

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: name === 'task_id' ? 'integer' : 'string' },
  }));
}

function queryParameters({ query }: Operation, schemas: SchemaCollector): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemas.add(query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function errorResponses(operation: Operation, schemas: SchemaCollector): Json {
  const codes = new Set<ErrorCode>([...OF_ALL, ...operation.errors]);
  if (operation.query || operation.body) codes.add('invalid_request');
  if (operation.body)
    for (const code of ['invalid_json', 'body_too_large', 'unsupported_media_type'] as const) codes.add(code);
  if (operation.path.includes('{')) codes.add('not_found');
  if (codes.has('upstream_failed')) for (const code of OF_PLATFORM) codes.add(code);
  const content = json(schemas.add(errorSchema, 'output'));
  const byStatus = Map.groupBy(codes, statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [status, { description: of.join(', '), content }]),
  );
}

class SchemaCollector {
  readonly components: Record<string, Json> = {};

  /** The JSON Schema of a zod schema; named schemas in it become components. */
  add(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    for (const [name, definition] of Object.entries($defs))
      this.#addComponent(name, toComponentRefs(definition) as Json);
    return toComponentRefs(root) as Json;
  }

  #addComponent(name: string, { id: _, ...definition }: Json): void {
    const known = this.components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`Two schemas are called ${name}.`);
    this.components[name] = definition;
  }

  /** A task's settings are those of its type. */
  addTaskTypes(): void {
    for (const name of ['Task', 'SavedTask']) {
      const task = this.components[name];
      if (!task) continue;
      const properties = task['properties'] as Record<string, Json>;
      const variants = describeTaskTypes().map(({ type, name: title, summary, settings }) => {
        const settingsName = `${pascalCase(type)}Settings`;
        this.components[settingsName] ??= { title, description: summary, ...settings };
        const ref = {
          $ref: `#/components/schemas/${settingsName}`,
          description: properties['settings']?.['description'],
        };
        return { ...task, title, properties: { ...properties, type: { const: type }, settings: ref } };
      });
      this.components[name] = { oneOf: variants };
    }
  }
}

const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

function toComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponentRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string'
        ? item.replace('#/$defs/', '#/components/schemas/')
        : toComponentRefs(item),
    ]),
  );
}
