// The operations of an OpenAPI document as tools.
import type { JSONObject, Tool } from '@modelcontextprotocol/server';
import { KEY_SCOPES, type KeyScope } from '#lib/identity/api-keys/scopes.ts';

export interface ApiTool {
  name: string;
  description: string;
  /** JSON Schema: parameters of path and query by name, the body as `body`. */
  inputSchema: Tool['inputSchema'];
  scope: KeyScope;
  method: string;
  /** Below `/api/v1`, with parameters as `{id}`. */
  path: string;
  places: ReadonlyMap<string, 'path' | 'query' | 'body'>;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

interface Operation {
  operationId: string;
  summary: string;
  security?: readonly { apiKey: readonly string[] }[];
  'x-no-tool'?: boolean;
  parameters?: readonly {
    name: string;
    in: 'path' | 'query';
    required?: boolean;
    description?: string;
    schema: object;
  }[];
  requestBody?: { required?: boolean; content: { 'application/json': { schema: object } } };
  responses: Record<string, unknown>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}

/** Every operation for assistants, whatever the key's scope. */
export const listTools = (document: OpenApiDocument): ApiTool[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation['x-no-tool'] !== true)
      .map(([method, operation]) => toTool(path, method.toUpperCase(), operation, document)),
  );

function toTool(path: string, method: string, operation: Operation, document: OpenApiDocument): ApiTool {
  const { schemas } = document.components;
  const { parameters = [], requestBody } = operation;
  const properties: Record<string, JSONObject> = {};
  for (const { name, description, schema } of parameters)
    properties[name] = {
      ...(inlineSchema(schema, schemas) as JSONObject),
      ...(description === undefined ? {} : { description }),
    };
  if (requestBody)
    properties['body'] = inlineSchema(requestBody.content['application/json'].schema, schemas) as JSONObject;
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  if (requestBody?.required) required.push('body');
  const scope = scopeOf(operation);
  return {
    name: operation.operationId,
    description: operation.summary,
    inputSchema: {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    scope,
    method,
    path,
    places: new Map([
      ...parameters.map(({ name, in: place }) => [name, place] as const),
      ...(requestBody ? [['body', 'body'] as const] : []),
    ]),
    annotations: annotationsOf(operation, method, scope),
  };
}

/** Without a declared scope it requires all rights. */
const scopeOf = ({ security }: Operation): KeyScope => {
  const named = security?.[0]?.apiKey[0];
  return KEY_SCOPES.find((scope) => scope === named) ?? 'admin';
};

/** Only creating something new is not destructive; runs send requests and messages to others. */
const annotationsOf = (
  { responses }: Operation,
  method: string,
  scope: KeyScope,
): ApiTool['annotations'] => ({
  readOnlyHint: method === 'GET',
  destructiveHint: method !== 'GET' && !(scope === 'edit' && method === 'POST' && '201' in responses),
  idempotentHint: method !== 'POST',
  openWorldHint: scope === 'run',
});

// JSON Schemas for assistants: complete, because tools cannot refer to components, and short, because models read all of
// them.
type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces references by their schemas; recursion ends in "anything". */
export function inlineSchema(schema: unknown, components: Json, inside: readonly string[] = []): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inlineSchema(item, components, inside));
  if (!isObject(schema)) return schema;
  const { $ref, ...rest } = schema;
  const own = mapValues(rest, (value) => inlineSchema(value, components, inside));
  if (typeof $ref !== 'string') return mergeVariants(own);
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  if (inside.includes(name)) return own;
  const target = inlineSchema(components[name] ?? {}, components, [...inside, name]);
  return { ...(target as Json), ...own };
}

/**
 * Merges variants with a discriminator, such as tasks by their type: all its values, and the properties that differ only by
 * their description. In full they would be most of a tool's schema; `getTaskType` returns a single one. Variants with their
 * own properties, such as destinations of alerts, stay, because these are described nowhere else.
 */
function mergeVariants(schema: Json): Json {
  const { oneOf, ...rest } = schema;
  if (!Array.isArray(oneOf) || oneOf.length < 2) return schema;
  const variants = oneOf.filter(isObject).map(({ properties }) => (isObject(properties) ? properties : {}));
  const [first = {}] = variants;
  const tells = Object.keys(first).find((key) => variants.every((each) => constOf(each[key]) !== undefined));
  if (tells === undefined || !variants.every((each) => haveSameKeys(each, first))) return schema;
  const properties = mapValues(first, (value, key) => {
    if (key === tells) return { type: 'string', enum: variants.map((each) => constOf(each[key])) };
    const isSame = variants.every((each) => JSON.stringify(each[key]) === JSON.stringify(value));
    return isSame || !isObject(value) ? value : { type: value['type'], description: value['description'] };
  });
  const { title: _title, description: _description, ...common } = oneOf[0] as Json;
  return { ...common, ...rest, properties };
}

const haveSameKeys = (one: Json, other: Json): boolean =>
  Object.keys(one).sort().join() === Object.keys(other).sort().join();

const constOf = (schema: unknown): unknown => (isObject(schema) ? schema['const'] : undefined);

const mapValues = (object: Json, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
