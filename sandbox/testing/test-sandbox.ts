import { IDS } from '../data/businesses.ts';
import type { SandboxOptions } from '../options.ts';
import { startSandbox } from '../server.ts';

export type Answer = { status: number; headers: Headers; body: Json };
export type Json = { [name: string]: Json } & { [index: number]: Json; length: number } & (
    | string
    | number
    | boolean
    | null
  );

/** A sandbox on a free port with helpers for calls, for its own tests. */
export async function startTestSandbox(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ port: 0, ...options });
  const { url } = sandbox;
  let token = '';

  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
  };
  const control = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await call(method, `/__sandbox/${path}`, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const graph = (method: string, path: string, body?: unknown, bearer = token) =>
    call(method, `/v18.0/${path}`, body, { authorization: `Bearer ${bearer}` });
  const mint = async (input: object = {}) => String((await control('POST', 'tokens', input)).access_token);
  const send = (to: string, message: object, phoneId: string = IDS.booksOrders) =>
    graph('POST', `${phoneId}/messages`, { messaging_product: 'whatsapp', to, ...message });

  /** The customer writes, so that the 24-hour window is open. */
  const openWindow = (customer: string, phoneId: string = IDS.booksOrders) =>
    control('POST', 'customer-messages', { customer, phone_number_id: phoneId, text: 'Hello!' });

  /** Gets a new token of the Admin: a reset revokes all, and a moved clock may expire them. */
  const renewToken = async () => {
    token = await mint();
  };

  await renewToken();
  return { ...sandbox, call, control, graph, mint, send, openWindow, renewToken, token: () => token };
}

export type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>;

/** A template message; `values` fill the body. */
export function templateMessage(name: string, values: unknown[] = [], ...components: object[]): object {
  const body =
    values.length === 0 ? [] : [{ type: 'body', parameters: values.map((text) => ({ type: 'text', text })) }];
  return {
    type: 'template',
    template: { name, language: { code: 'en_US' }, components: [...body, ...components] },
  };
}
