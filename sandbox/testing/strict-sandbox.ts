import { createHmac } from 'node:crypto';
import { vi } from 'vitest';
import type { SandboxOptions } from '../options.ts';
import { startReceiver } from './test-receiver.ts';
import { startTestSandbox } from './test-sandbox.ts';

const APP = { id: '900000000000001', secret: 'the-secret-of-the-app' };
const VERIFY_TOKEN = 'verify-me';

/** A sandbox that refuses what the real platform refuses, with ways to call it as the app itself. */
export async function startStrictSandbox(options: SandboxOptions = {}) {
  const sandbox = await startTestSandbox({
    ...options,
    client: { ...APP, ...options.client },
    settings: { sent_after_ms: 0, delivered_after_ms: 0, ...options.settings, strict: true },
  });
  const appToken = `${APP.id}|${APP.secret}`;
  const asApp = (method: string, path: string, body?: unknown) => sandbox.graph(method, path, body, appToken);
  const proofOf = (token: string) => createHmac('sha256', APP.secret).update(token).digest('hex');

  /** Sets the app's one URL. */
  const subscribeFields = (callbackUrl: string, fields: string) =>
    asApp('POST', `${APP.id}/subscriptions`, {
      object: 'whatsapp_business_account',
      callback_url: callbackUrl,
      verify_token: VERIFY_TOKEN,
      fields,
    });
  /** Sets the override of an account. */
  const override = (accountId: string, callbackUrl: string) =>
    sandbox.graph('POST', `${accountId}/subscribed_apps`, {
      override_callback_uri: callbackUrl,
      verify_token: VERIFY_TOKEN,
    });
  return { ...sandbox, app: APP, appToken, asApp, proofOf, subscribeFields, override };
}

export type StrictSandbox = Awaited<ReturnType<typeof startStrictSandbox>>;

/** One received change. */
type ReceivedChange = { account: string; field: string; value: Record<string, unknown> };

/** A receiver that passes the handshake; `changes` are those received so far. */
export async function startHook() {
  const receiver = await startReceiver(({ method, url }, response) => {
    const query = new URL(url, 'http://receiver').searchParams;
    response.writeHead(200).end(method === 'GET' ? query.get('hub.challenge') : 'ok');
  });
  const changes = (): ReceivedChange[] =>
    receiver.received
      .filter(({ method }) => method === 'POST')
      .flatMap(({ body }) => (JSON.parse(body) as { entry: Entry[] }).entry)
      .flatMap(({ id, changes: list }) => list.map((change) => ({ account: id, ...change })));
  return { ...receiver, changes };
}

type Entry = { id: string; changes: Omit<ReceivedChange, 'account'>[] };
export type Hook = Awaited<ReturnType<typeof startHook>>;

/** Waits until a check passes, with a timeout for busy machines. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { interval: 5 });
