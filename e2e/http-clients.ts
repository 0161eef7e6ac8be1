// The product's REST API and the sandbox's control API, as specs use them for setup and checks.

/** The REST API with the key of the first workspace. */
export class Api {
  readonly #baseUrl: string;
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  get = <Body>(path: string): Promise<Body> => this.#call('GET', path);
  post = <Body>(path: string, body: object = {}): Promise<Body> => this.#call('POST', path, body);
  put = <Body>(path: string, body: object): Promise<Body> => this.#call('PUT', path, body);
  delete = (path: string): Promise<void> => this.#call('DELETE', path);

  #call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const headers = { Authorization: `Bearer ${this.#key}` };
    return callJson(method, `${this.#baseUrl}/api/v1${path}`, body, headers);
  }
}

/** The sandbox's control API. */
export class Sandbox {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  get = <Body>(path: string): Promise<Body> => callJson('GET', `${this.url}/__sandbox/${path}`);
  post = <Body>(path: string, body: object = {}): Promise<Body> =>
    callJson('POST', `${this.url}/__sandbox/${path}`, body);
}

/** Posts to a webhook like a shop. */
export async function postWebhook(url: string, body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: text });
}

async function callJson<Body>(
  method: string,
  url: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Body> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return (text === '' ? null : JSON.parse(text)) as Body;
}
