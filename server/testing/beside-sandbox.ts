// Settings of a product beside its own sandbox, and calls of both APIs.
import { IDS } from '../../sandbox/data/businesses.ts';

/** A key with all rights of the REST API. */
export const API_KEY = 'a-key-of-the-rest-api-for-this-test-only';
/** Settings of every product that is started beside a sandbox. */
export const ENCRYPTION_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const CALL_PATIENCE_MS = 60_000;

/** The product's client at the sandbox's identity login. */
export const clientOf = (base: string) => ({
  id: 'app',
  secret: 'the-secret-of-the-app-and-of-its-signatures',
  redirectUris: [`${base}/oauth/callback`],
});

/**
 * @param sandbox null: there is none
 * @param graphUrl URL for calls of the platform, when there is a proxy in between
 */
export function settingsBeside(
  sandbox: { url: string } | null,
  { base, databaseUrl, graphUrl }: { base: string; databaseUrl: string; graphUrl?: string },
): Record<string, string> {
  const client = clientOf(base);
  const platform: Record<string, string> = sandbox
    ? {
        MESSAGING_GRAPH_URL: graphUrl ?? sandbox.url,
        MESSAGING_AUTHORIZE_URL: `${sandbox.url}/oauth/authorize`,
        MESSAGING_TOKEN_URL: `${sandbox.url}/oauth/token`,
        MESSAGING_CLIENT_ID: client.id,
        MESSAGING_CLIENT_SECRET: client.secret,
      }
    : {};
  return {
    DATABASE_URL: databaseUrl,
    PORT: new URL(base).port,
    BASE_URL: base,
    PATCHBAY_API_KEY: API_KEY,
    AUTH_SECRET: 'sessions-of-this-test-are-signed-with-this',
    ENCRYPTION_KEYS,
    ...platform,
  };
}

/** @throws Error with the response when it is not 2xx */
export type Call = <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;

export interface Calls {
  /** Calls the REST API. */
  api: Call;
  /** Calls the sandbox's control API. */
  control: Call;
}

export const callsOf = (base: string, sandbox: { url: string }): Calls => ({
  api: (method, path, body) => call(method, `${base}/api/v1${path}`, body),
  control: (method, path, body) => call(method, `${sandbox.url}/__sandbox/${path}`, body),
});

/** Connects Harbour Street Books of the sandbox; @returns the connection's id. */
export async function connectBooks({ api, control }: Calls): Promise<string> {
  type Tokens = { access_token: string; refresh_token: string; expires_in: number };
  const { access_token, refresh_token, expires_in } = await control<Tokens>('POST', 'tokens', {});
  const { id } = await api<{ id: string }>('POST', '/connections', {
    name: 'Books',
    access_token,
    refresh_token,
    expires_in,
    business_account_id: IDS.books,
  });
  return id;
}

async function call<Answer>(method: string, url: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(CALL_PATIENCE_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}
