// The API over the web's Request and Response: routing, authentication, checks and answers of every operation.
import type { Logger } from 'pino';
import { authenticateApiKey } from '#lib/identity/api-keys/authenticate-api-key.ts';
import { isDatabaseUnavailable } from '#lib/core/db/database-unavailable.ts';
import { AppError, statusOf, toErrorBody } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { hasRole } from '#lib/identity/members/roles.ts';
import { keyActor } from '#lib/identity/key-actor.ts';
import { API_ROOT, matchPath, type PathMatch } from './match-path.ts';
import { toOpenApi } from './openapi.ts';
import type { ApiContext, Operation } from './operation.ts';
import { OPERATIONS } from './operations/operations.ts';
import { parseInput } from './parse-input.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';

export type ApiRuntime = Pick<ProcessRuntime, 'db' | 'secrets' | 'baseUrl' | 'environmentKey' | 'logger'>;

const ALWAYS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Answers any request below `/api`; it never throws. */
export async function handleApiRequest(runtime: ApiRuntime, request: Request): Promise<Response> {
  const requestId = newId();
  const headers = { ...ALWAYS, 'X-Request-Id': requestId };
  try {
    return await handle(runtime, request, headers);
  } catch (error) {
    return errorResponse(toAppError(error, requestId, runtime.logger), headers);
  }
}

async function handle(
  runtime: ApiRuntime,
  request: Request,
  headers: Record<string, string>,
): Promise<Response> {
  const url = new URL(request.url);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (url.pathname === `${API_ROOT}/openapi.json`) {
    if (method !== 'GET') return refuseMethod(request, ['GET'], headers);
    return jsonResponse(200, toOpenApi(OPERATIONS, runtime.baseUrl), headers, request);
  }
  const matches = matchPath(OPERATIONS, url.pathname);
  if (matches.length === 0) {
    throw new AppError(
      'not_found',
      `Nothing found at this address: ${API_ROOT}/openapi.json lists all endpoints.`,
    );
  }
  const match = matches.find(({ operation }) => operation.method === method);
  if (!match) return refuseMethod(request, methodsOf(matches), headers);
  const ctx = await authorize(runtime, request, match.operation);
  const { query, body } = await parseInput(match.operation, request, url);
  const answer = await match.operation.handle(ctx, { params: match.params, query, body });
  return answerOf(match.operation, answer, headers, request);
}

const methodsOf = (matches: PathMatch[]): string[] => matches.map(({ operation }) => operation.method);

function refuseMethod(request: Request, allowed: string[], headers: Record<string, string>): Response {
  const methods = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed;
  const withAllow = { ...headers, Allow: [...methods, 'OPTIONS'].join(', ') };
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: withAllow });
  return errorResponse(new AppError('method_not_allowed', `Use ${methods.join(' or ')} here.`), withAllow);
}

/** @throws AppError `unauthorized`, `forbidden` */
async function authorize(runtime: ApiRuntime, request: Request, operation: Operation): Promise<ApiContext> {
  const { db, secrets, baseUrl, environmentKey } = runtime;
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (!bearer)
    throw new AppError(
      'unauthorized',
      'Send an API key: "Authorization: Bearer <key>". Create keys in Settings.',
    );
  const key = await authenticateApiKey(db, bearer, environmentKey);
  if (!key)
    throw new AppError('unauthorized', 'This API key is invalid or was revoked. Create keys in Settings.');
  if (!hasRole(key.role, operation.for))
    throw new AppError('forbidden', 'API keys have the rights of an editor. An owner does this in Settings.');
  const { workspaceId, keyHash } = key;
  return { db, secrets, baseUrl, workspaceId, actor: keyActor(key.keyId), keyHash };
}

function answerOf(
  operation: Operation,
  answer: unknown,
  headers: Record<string, string>,
  request: Request,
): Response {
  if (operation.status === 204) return new Response(null, { status: 204, headers });
  return jsonResponse(operation.status, answer, headers, request);
}

/** Numbers of events and outputs keep their digits (`NumberLiteral`). */
function jsonResponse(
  status: number,
  value: unknown,
  headers: Record<string, string>,
  request?: Request,
): Response {
  const body = request?.method === 'HEAD' ? null : JSON.stringify(value);
  return new Response(body, { status, headers: { ...headers, 'Content-Type': 'application/json' } });
}

function errorResponse(error: AppError, headers: Record<string, string>): Response {
  const more: Record<string, string> = {};
  if (error.code === 'unauthorized') more['WWW-Authenticate'] = 'Bearer realm="patchbay"';
  if (error.retryAfterSeconds !== undefined) more['Retry-After'] = String(error.retryAfterSeconds);
  return jsonResponse(statusOf(error.code), toErrorBody(error), { ...headers, ...more });
}

function toAppError(error: unknown, requestId: string, logger: Logger): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) {
    logger.warn({ err: error, request_id: requestId }, 'the database could not be reached');
    return new AppError('overloaded', 'The database cannot be reached right now. Try again.', {
      retryAfterSeconds: 2,
    });
  }
  logger.error({ err: error, request_id: requestId }, 'an API request failed with an internal error');
  return new AppError('internal', `Internal error. The server log has it under request ID ${requestId}.`);
}
