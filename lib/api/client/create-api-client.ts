// The official client of the REST API. Its types (schema.ts) are generated from the OpenAPI document; it imports nothing of
// the server, so that it can be used wherever there is `fetch`.
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.ts';

export type ApiClient = Client<paths>;
export type ApiSchemas = components['schemas'];

export interface ApiClientOptions {
  /** URL of Patchbay, such as `https://patchbay.example.com`. */
  url: string;
  apiKey?: string;
  headers?: Readonly<Record<string, string>>;
  /** Used instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * A client whose methods are typed by path: `await client.GET('/runs/{id}', { params: { path: { id } } })` returns `data` or
 * `error`. Numbers that JavaScript cannot represent lose digits unless `parseAs: 'text'` is set.
 */
export function createApiClient({ url, apiKey, headers, fetch }: ApiClientOptions): ApiClient {
  return createClient<paths>({
    baseUrl: `${url.replace(/\/+$/, '')}/api/v1`,
    headers: { ...headers, ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }) },
    ...(fetch ? { fetch } : {}),
  });
}
