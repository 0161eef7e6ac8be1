// Calls pages, routes and server actions like a browser, and returns the outcome as one word.
import type { Outcome } from './authorization-rules.ts';
import type { BuiltAction } from './authorization-surface.ts';

export interface Answer {
  outcome: Outcome;
  status: number;
  body: string;
  cookies: string[];
}

export class CookieJar {
  readonly #values = new Map<string, string>();

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }

  take(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#values.set(name, value);
    }
  }

  toString(): string {
    return [...this.#values].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** Signs in with the form's own two requests. @throws Error when no session was started */
export async function signIn(base: string, email: string, password: string): Promise<CookieJar> {
  const jar = new CookieJar();
  const asked = await fetch(`${base}/api/auth/csrf`);
  jar.take(asked);
  const { csrfToken } = (await asked.json()) as { csrfToken: string };
  const answered = await fetch(`${base}/api/auth/callback/credentials`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: jar.toString(), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrfToken, email, password, json: 'true' }),
  });
  jar.take(answered);
  if (!jar.toString().includes('next-auth.session-token'))
    throw new Error(`${email} is not signed in: ${answered.status} ${await answered.text()}`);
  return jar;
}

const NOWHERE = '00000000-0000-7000-8000-000000000000';

/** Calls a server action: a POST to a page that has it, with its id and the arguments (Next's own protocol). */
export async function callAction(
  base: string,
  cookies: CookieJar,
  { id, page }: BuiltAction,
  args: readonly unknown[],
): Promise<Answer> {
  const response = await fetch(base + page.replace(/\[[^\]]+\]/g, NOWHERE), {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'next-action': id,
      accept: 'text/x-component',
      'content-type': 'text/plain;charset=UTF-8',
      origin: base,
      cookie: cookies.toString(),
    },
    body: JSON.stringify(args),
  });
  const body = await response.text();
  const target = response.headers.get('x-action-redirect');
  const outcome = target === null ? readResult(response, body) : redirectTo(target);
  return { outcome, status: response.status, body, cookies: response.headers.getSetCookie() };
}

/** A long text is a separate row with its length in bytes, directly followed by the next row. */
function withoutTextRows(body: string): string {
  const bytes = Buffer.from(body);
  const row = /^\w+:T([0-9a-f]+),/m.exec(body);
  if (!row) return body;
  const start = Buffer.byteLength(body.slice(0, row.index));
  const end = start + Buffer.byteLength(row[0]) + Number.parseInt(row[1] ?? '0', 16);
  return withoutTextRows(`${bytes.subarray(0, start).toString()}${bytes.subarray(end).toString()}`);
}

/**
 * The result of an action; undefined: none. The value is one row of the response, to which the first row points. @throws Error
 * when it was not executed
 */
export function readActionValue(status: number, answer: string): unknown {
  const body = withoutTextRows(answer);
  const [, row] = /^0:\{"a":"\$@(\w+)"/m.exec(body) ?? [];
  const text = new RegExp(`^${row ?? 'none'}:(.*)$`, 'm').exec(body)?.[1];
  if (status !== 200 || text === undefined)
    throw new Error(`The action did not run: ${status} ${body.slice(0, 500)}`);
  return text === '"$undefined"' ? undefined : JSON.parse(text);
}

function readResult(response: Response, answer: string): Outcome {
  const value = readActionValue(response.status, answer) as
    | { ok?: boolean; error?: { code: Outcome } }
    | null
    | undefined;
  if (value === undefined) return 'nothing';
  return value?.ok === false ? (value.error?.code ?? 'internal') : 'ok';
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Requests a page or a route; redirects are not followed. */
export async function request(
  url: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<Answer> {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...json, ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const outcome = readOutcome(response, text);
  return { outcome, status: response.status, body: text, cookies: response.headers.getSetCookie() };
}

/** For responses that are not JSON, such as those to HEAD. */
const CODES: Readonly<Record<number, Outcome>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
};

function readOutcome(response: Response, text: string): Outcome {
  const location = response.headers.get('location');
  if (location !== null) return redirectTo(location);
  if ((response.headers.get('content-type') ?? '').includes('text/html')) return readPage(response, text);
  if (response.ok) return 'ok';
  if (!(response.headers.get('content-type') ?? '').includes('json') || text === '')
    return CODES[response.status] ?? 'internal';
  const { error } = JSON.parse(text) as { error: { code: Outcome } };
  return error.code;
}

/** After the first bytes of a page, redirects and "not found" are part of its content. */
function readPage(response: Response, text: string): Outcome {
  const target =
    /NEXT_REDIRECT;\w+;([^;"\\]+);/.exec(text)?.[1] ??
    /http-equiv="refresh" content="\d+;url=([^"]+)"/.exec(text)?.[1];
  if (target !== undefined) return redirectTo(target);
  if (response.status === 404 || text.includes('NEXT_HTTP_ERROR_FALLBACK;404')) return 'not_found';
  if (!response.ok) return 'internal';
  return 'ok';
}

const redirectTo = (target: string): Outcome => {
  const [path = ''] = target.replace(/^https?:\/\/[^/]+/, '').split(/[?;]/);
  return `redirect ${path}`;
};
