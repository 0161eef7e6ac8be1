import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type Provider from 'oidc-provider';
import { logCall } from '../calls/call-log.ts';
import { takeFault } from '../calls/faults.ts';
import { sendHtml, sendJson } from '../http/exchange.ts';
import { isStrict } from '../strict.ts';
import type { World } from '../world.ts';
import { changeAnswer, withoutTokenType } from './change-answer.ts';
import { changeClaims } from './change-claims.ts';
import { applyLoginConfiguration } from './login-configuration.ts';
import { refusalPage } from './refusal-page.ts';

const TOKEN_PATH = '/oauth/token';
const AUTHORIZE_PATH = '/oauth/authorize';

/** Hands a request to oidc-provider; the token endpoint is logged, and may be given a fault by the control API. */
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

/** Puts in what the login configuration says; answers false after refusing. */
function configureLogin(world: World, request: IncomingMessage, response: ServerResponse): boolean {
  const url = new URL(request.url ?? '/', world.options.publicUrl);
  const refusal = applyLoginConfiguration(world, url);
  if (refusal !== null) sendHtml(response, 400, refusalPage('invalid_request', refusal));
  else request.url = `${url.pathname}${url.search}`;
  return refusal === null;
}
