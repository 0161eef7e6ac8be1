// The API as the web's Request and Response: routing, authentication, checks and responses of every operation.
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '#lib/core/db/database-unavailable.ts';
import { AppError, statusOf, toErrorBody } from '#lib/core/errors.ts';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { newId } from '#lib/core/ids.ts';
import { about } from '#lib/core/log-fields.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import type { Download } from '#lib/exports/open-export.ts';
import { authenticateApiKey, type AuthenticatedKey } from '#lib/identity/api-keys/authenticate-api-key.ts';
import { hasScope, type KeyScope, ROLE_OF_SCOPE } from '#lib/identity/api-keys/scopes.ts';
import { keyActor } from '#lib/identity/key-actor.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { runMask } from '#lib/screens/run-mask.ts';
import { API_ROOT, matchPath, type PathMatch } from './match-path.ts';
import { toOpenApi } from './openapi.ts';
import type { ApiContext, Operation } from './operation.ts';
import { OPERATIONS } from './operations/operations.ts';
import { parseInput } from './parse-input.ts';

export type ApiRuntime = Pick<ProcessRuntime, 'db' | 'secrets' | 'baseUrl' | 'environmentKey' | 'logger'>;

/** Answers any request below `/api`; it never throws. */
export async function handleApiRequest(runtime: ApiRuntime, request: Request): Promise<Response> {
  const requestId = newId();
  const headers = { ...ANSWER_HEADERS, 'X-Request-Id': requestId };
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
  const { query, body, file } = await parseInput(match.operation, request, url);
  // A file is not begun for its headers.
  if (match.operation.mediaTypes && request.method === 'HEAD')
    return new Response(null, { status: 200, headers });
  const answer = await match.operation.handle(ctx, { params: match.params, query, body, file });
  return answerOf(match.operation, maskFor(ctx.key, match.operation, answer), headers, request);
}

function maskFor(key: AuthenticatedKey, { maskForViewers }: Operation, answer: unknown): unknown {
  const role = ROLE_OF_SCOPE[key.scope];
  if (!maskForViewers || hasRole(role, 'editor')) return answer;
  return maskForViewers(answer, runMask({ role, masksNumbers: key.masksNumbers }));
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
      'Send an API key: "Authorization: Bearer <key>". An owner creates keys in Settings → API keys.',
    );
  const key = await authenticateApiKey(db, bearer, environmentKey);
  if (!hasScope(key.scope, operation.scope)) throw new MissingScopeError(key, operation.scope);
  return { db, secrets, baseUrl, workspaceId: key.workspaceId, actor: keyActor(key.keyId), key };
}

function answerOf(
  operation: Operation,
  answer: unknown,
  headers: Record<string, string>,
  request: Request,
): Response {
  if (operation.mediaTypes) {
    const { content, headers: its } = answer as Download;
    return new Response(content, { status: operation.status, headers: { ...headers, ...its } });
  }
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
  if (error instanceof MissingScopeError)
    more['WWW-Authenticate'] = `Bearer realm="patchbay", error="insufficient_scope", scope="${error.needed}"`;
  if (error.retryAfterSeconds !== undefined) more['Retry-After'] = String(error.retryAfterSeconds);
  return jsonResponse(statusOf(error.code), toErrorBody(error), { ...headers, ...more });
}

function toAppError(error: unknown, requestId: string, logger: Logger): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) {
    logger.warn({ err: error, ...about({ requestId }) }, 'the database could not be reached');
    return new AppError('overloaded', 'The database cannot be reached right now. Try again.', {
      retryAfterSeconds: 2,
    });
  }
  logger.error({ err: error, ...about({ requestId }) }, 'an API request failed with an internal error');
  return new AppError('internal', `Internal error. The server log has it under request ID ${requestId}.`);
}

/** The key lacks a scope: `forbidden`, with the scope it would need (RFC 6750, section 3.1). */
class MissingScopeError extends AppError {
  readonly needed: KeyScope;

  constructor({ scope, grantedScope }: Pick<AuthenticatedKey, 'scope' | 'grantedScope'>, needed: KeyScope) {
    const has =
      scope === grantedScope
        ? `This API key has the scope "${scope}"`
        : `This API key has the scope "${grantedScope}", but the role of the member who created it limits it to "${scope}"`;
    super('forbidden', `${has}; this needs "${needed}". An owner creates keys in Settings → API keys.`);
    this.name = 'MissingScopeError';
    this.needed = needed;
  }
}
