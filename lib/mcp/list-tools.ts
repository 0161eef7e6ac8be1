// The operations of an OpenAPI document as tools.
import type { JSONObject, Tool } from '@modelcontextprotocol/server';
import { KEY_SCOPES, type KeyScope } from '#lib/identity/api-keys/scopes.ts';
import { inlineSchema } from './inline-schema.ts';

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
