// The MCP server over Streamable HTTP: stateless, so that any web process can answer. Loaded by the first request
// (app/api/mcp/route.ts).
import {
  createMcpHandler,
  localhostAllowedHostnames,
  validateHostHeader,
} from '@modelcontextprotocol/server';
import { createApiClient } from '#lib/api/client/create-api-client.ts';
import { toOpenApi } from '#lib/api/openapi.ts';
import { OPERATIONS } from '#lib/api/operations/operations.ts';
import { MAX_API_BODY_BYTES } from '#lib/api/parse-input.ts';
import { type ApiRuntime, handleApiRequest } from '#lib/api/route.ts';
import { AppError, statusOf, toErrorBody } from '#lib/core/errors.ts';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { createServer } from './create-server.ts';
import { type ApiTool, listTools, type OpenApiDocument } from './list-tools.ts';

let made: { baseUrl: string; tools: ApiTool[] } | undefined;

/** Answers any request to `/api/mcp`. */
export async function handleMcpRequest(runtime: ApiRuntime, request: Request): Promise<Response> {
  const refusal = findRefusal(request, runtime.baseUrl);
  if (refusal) return refuse(refusal);
  const authorization = request.headers.get('authorization') ?? '';
  const client = createApiClient({
    url: runtime.baseUrl,
    headers: { authorization },
    fetch: (inner) => handleApiRequest(runtime, inner),
  });
  const key = await client.GET('/api-keys/current');
  if (!key.data)
    return Response.json(key.error, { status: key.response.status, headers: key.response.headers });
  const { effective_scope: scope } = key.data;
  const tools = toolsOf(runtime.baseUrl);
  const { fetch } = createMcpHandler(() => createServer({ client, tools, scope }), {
    maxRequestBodySize: MAX_API_BODY_BYTES,
    // A key's scope never changes during a subscription, which would only hold a connection open.
    maxSubscriptions: 0,
    onerror: (error) => runtime.logger.debug({ err: error }, 'an MCP request was refused'),
  });
  const response = await fetch(request);
  for (const [name, value] of Object.entries(ANSWER_HEADERS)) response.headers.set(name, value);
  return response;
}

/**
 * Requests that no client of the protocol sends, but pages of other sites do (MCP specification, "Streamable HTTP", security
 * warning). A foreign host means DNS rebinding.
 */
function findRefusal(request: Request, baseUrl: string): AppError | undefined {
  if (request.method !== 'POST') return new AppError('method_not_allowed', 'Use POST here.');
  const { origin, hostname } = new URL(baseUrl);
  const from = request.headers.get('origin');
  if (from !== null && from !== origin)
    return new AppError('forbidden', 'Pages of other sites may not use this address.');
  const host = validateHostHeader(request.headers.get('host'), [hostname, ...localhostAllowedHostnames()]);
  return host.ok ? undefined : new AppError('forbidden', `Use ${baseUrl}/api/mcp, as BASE_URL says.`);
}

const refuse = (error: AppError): Response =>
  Response.json(toErrorBody(error), {
    status: statusOf(error.code),
    headers: { ...ANSWER_HEADERS, ...(error.code === 'method_not_allowed' ? { Allow: 'POST' } : {}) },
  });

function toolsOf(baseUrl: string): ApiTool[] {
  if (made?.baseUrl !== baseUrl)
    made = { baseUrl, tools: listTools(toOpenApi(OPERATIONS, baseUrl) as unknown as OpenApiDocument) };
  return made.tools;
}
