// `/v…/oauth/access_token`, the real platform's token endpoint: a code, a token that is exchanged for a longer one, or the app's.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { setTimeout as wait } from 'node:timers/promises';
import { logCall, takeFault, toGraphError } from '../calls/calls.ts';
import { GraphError, invalidParameter } from '../graph-error.ts';
import { readBody, sendJson } from '../http/exchange.ts';
import { isStrict } from '../settings.ts';
import type { World } from '../world.ts';
import { findBearer } from './bearer.ts';
import { mintTokens } from './mint.ts';
import { LONG_LIVED_SECONDS } from './provider.ts';

const PATH = /^\/v\d+\.\d+\/oauth\/access_token$/;

export const isAccessTokenPath = (path: string): boolean => PATH.test(path);

/** Answers `GET` and `POST /v…/oauth/access_token`, and logs it. */
export async function handleAccessToken(
  world: World,
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const started = { at: new Date(world.clock.nowMs()).toISOString(), real_at_ms: Date.now() };
  const form = new URLSearchParams((await readBody(request)).toString());
  const fields = Object.fromEntries([...url.searchParams, ...form]);
  const method = request.method ?? 'GET';
  const fault = takeFault(world, { target: 'token', method, path: 'oauth/access_token', body: {} });
  let status = 200;
  let code: number | null = null;
  try {
    if (fault?.kind === 'delay') await wait(fault.delay_ms, undefined, { ref: false });
    if (fault?.kind === 'error') throw toGraphError(fault);
    sendJson(response, 200, await answer(world, provider, fields));
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    ({ status, code } = error);
    sendJson(response, status, error.toBody());
  }
  const call = { method, path: 'oauth/access_token', query: {}, body: null };
  const outcome = { account: null, status, error_code: code, fault: fault?.kind ?? null };
  logCall(world.calls, { ...started, target: 'token', ...call, ...outcome });
}

type Fields = Record<string, string>;

async function answer(world: World, provider: Provider, fields: Fields): Promise<object> {
  const { client } = world.options;
  if (fields['client_id'] !== client.id || fields['client_secret'] !== client.secret)
    throw new GraphError(1, '', { status: 400, message: 'Error validating client secret.' });
  const type = isStrict(world) ? {} : { token_type: 'bearer' };
  if (fields['grant_type'] === 'client_credentials')
    return { access_token: `${client.id}|${client.secret}`, ...type };
  if (fields['grant_type'] !== 'fb_exchange_token') return exchangeCode(world, fields);
  const bearer = findBearer(world, fields['fb_exchange_token'] ?? '');
  if (!bearer || bearer.expired)
    throw new GraphError(190, '', {
      status: 400,
      ...(bearer ? { subcode: 463 } : {}),
      message: 'Error validating access token: the session has expired or is invalid.',
    });
  const { accountId, scopes } = bearer;
  const tokens = await mintTokens(provider, world, { accountId, scopes, expiresIn: LONG_LIVED_SECONDS });
  return { access_token: tokens.access_token, ...type, expires_in: LONG_LIVED_SECONDS };
}

/** Codes are checked by the identity provider, which expects a form. */
async function exchangeCode(world: World, fields: Fields): Promise<object> {
  const { grant_type: _none, ...rest } = fields;
  const body = new URLSearchParams({ grant_type: 'authorization_code', ...rest });
  const response = await fetch(`${world.options.publicUrl}/oauth/token`, { method: 'POST', body });
  const tokens = (await response.json()) as { error?: string; error_description?: string };
  if (!response.ok) throw invalidParameter(tokens.error_description ?? tokens.error ?? 'Invalid code.');
  return tokens;
}
