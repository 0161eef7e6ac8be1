// The only place that builds addresses of the graph API.
import { createHmac } from 'node:crypto';
import { PlatformError } from './platform-error.ts';
import type { PlatformSettings } from './settings.ts';

/**
 * The URL of a call: `{graph_url}/{version}/{path}` (spec, Versioning 1), with a proof that the holder of the token also has
 * the app secret: apps can require it.
 * @param path segments after the version
 * @throws PlatformError `not_configured`; `unknown_object` for an empty or dot segment, which would change the path
 */
export function toGraphUrl(
  { settings, accessToken }: { settings: PlatformSettings; accessToken: string },
  path: readonly string[],
  query: Readonly<Record<string, string>> = {},
): URL {
  const { graphUrl, graphVersion, appSecret } = settings;
  if (graphUrl === undefined) throw new PlatformError('not_configured');
  if (path.some((segment) => /^\.*$/.test(segment))) throw new PlatformError('unknown_object');
  const url = new URL([graphUrl, graphVersion, ...path.map(encodeURIComponent)].join('/'));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (appSecret !== undefined) url.searchParams.set('appsecret_proof', prove(accessToken, appSecret));
  return url;
}

const prove = (accessToken: string, appSecret: string): string =>
  createHmac('sha256', appSecret).update(accessToken).digest('hex');
