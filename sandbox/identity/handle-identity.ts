import { createPrivateKey, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type Provider from 'oidc-provider';
import { logCall, takeFault } from '../calls/calls.ts';
import { sendHtml, sendJson } from '../http/exchange.ts';
import { isStrict } from '../settings.ts';
import type { World } from '../world.ts';
import { refusalPage } from './refusal-page.ts';

const TOKEN_PATH = '/oauth/token';
const AUTHORIZE_PATH = '/oauth/authorize';

/** Forwards a request to oidc-provider; the token endpoint is logged, and the control API may set faults for it. */
export async function handleIdentity(
  world: World,
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const callback = provider.callback();
  if (path === AUTHORIZE_PATH && !configureLogin(world, request, response)) return;
  if (path !== TOKEN_PATH) return callback(request, response);
  const method = request.method ?? 'GET';
  const fault = takeFault(world, { target: 'token', method, path: TOKEN_PATH, body: {} });
  const entry = { real_at_ms: Date.now(), at: new Date(world.clock.nowMs()).toISOString() };
  const log = (status: number | null) =>
    logCall(world.calls, {
      ...entry,
      target: 'token',
      method,
      path: 'oauth/token',
      query: {},
      body: null,
      account: null,
      status,
      error_code: null,
      fault: fault?.kind ?? null,
    });
  if (fault?.kind === 'delay') await wait(fault.delay_ms, undefined, { ref: false });
  if (fault?.kind === 'drop_before') {
    log(null);
    return void request.socket.destroy();
  }
  if (fault?.kind === 'error' || fault?.kind === 'malformed') {
    const status = fault.http_status ?? 503;
    log(status);
    const retryAfter: Record<string, string> =
      fault.retry_after === undefined ? {} : { 'retry-after': String(fault.retry_after) };
    return sendJson(
      response,
      status,
      { error: fault.message ?? 'temporarily_unavailable', error_description: fault.details },
      retryAfter,
    );
  }
  if (fault?.kind === 'drop') response.end = (() => response.destroy()) as typeof response.end;
  if (fault?.kind === 'claims') changeClaims(response, fault.claims, world.keys.signing);
  if (isStrict(world)) changeAnswer(response, withoutTokenType);
  await callback(request, response);
  log(fault?.kind === 'drop' ? null : response.statusCode);
}

/** Applies the login configuration; returns false after a refusal. */
function configureLogin(world: World, request: IncomingMessage, response: ServerResponse): boolean {
  const url = new URL(request.url ?? '/', world.options.publicUrl);
  const refusal = applyLoginConfiguration(world, url);
  if (refusal !== null) sendHtml(response, 400, refusalPage('invalid_request', refusal));
  else request.url = `${url.pathname}${url.search}`;
  return refusal === null;
}

type Json = Record<string, unknown>;

/** Changes a response of the token endpoint. @param change gets the JSON object; null keeps it */
function changeAnswer(response: ServerResponse, change: (answer: Json) => Json | null): void {
  const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
  response.end = ((body?: unknown) => {
    const text = Buffer.isBuffer(body) ? body.toString() : typeof body === 'string' ? body : '';
    const changed = text.startsWith('{') ? change(JSON.parse(text) as Json) : null;
    if (!changed) return end(body);
    const bytes = Buffer.from(JSON.stringify(changed));
    response.setHeader('content-length', bytes.length);
    return end(bytes);
  }) as typeof response.end;
}

/** The real platform's response to a login, which is not OpenID Connect: the token and its lifetime. */
const withoutTokenType = (answer: Json): Json | null => {
  if (answer['access_token'] === undefined || answer['id_token'] !== undefined) return null;
  const { access_token: token, expires_in: seconds } = answer;
  return { access_token: token, expires_in: seconds };
};

/**
 * Changes the claims of the ID token in a response of the token endpoint, signed with the same key: for tests of apps' checks.
 * @param claims null removes one
 * @param signingKey a JWK
 */
function changeClaims(
  response: ServerResponse,
  claims: Readonly<Record<string, unknown>>,
  signingKey: Record<string, unknown>,
): void {
  changeAnswer(response, (answer) => {
    const token = answer['id_token'];
    return typeof token === 'string' ? { ...answer, id_token: changeToken(token, claims, signingKey) } : null;
  });
}

function changeToken(
  token: string,
  claims: Readonly<Record<string, unknown>>,
  signingKey: Record<string, unknown>,
): string {
  const [header = '', payload = ''] = token.split('.');
  const before = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const after = Object.entries({ ...before, ...claims }).filter(([, value]) => value !== null);
  const body = `${header}.${Buffer.from(JSON.stringify(Object.fromEntries(after))).toString('base64url')}`;
  const key = createPrivateKey({ key: signingKey, format: 'jwk' });
  return `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`;
}

/**
 * Login for Business: the connections' client has a configuration instead of scopes. Sets the scopes of the configuration into
 * the authorize request.
 * @returns why the login page refuses to open; null: it opens
 */
function applyLoginConfiguration(world: World, url: URL): string | null {
  const { options, settings } = world;
  const query = url.searchParams;
  if (query.get('client_id') !== options.client.id) return null;
  const id = query.get('config_id');
  if (id === null) return isStrict(world) ? 'This app isn’t available: the login needs a config_id.' : null;
  if (id !== settings.login_config_id) return `There is no login configuration with the id ${id}.`;
  if (isStrict(world) && query.has('scope'))
    return 'The scopes are those of the login configuration: a login with config_id takes no scope.';
  query.delete('config_id');
  query.set('scope', settings.login_scopes.join(' '));
  return null;
}
