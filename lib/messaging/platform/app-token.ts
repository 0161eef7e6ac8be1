import type { GraphAccess } from './graph.ts';
import { PlatformError } from './platform-error.ts';
import type { PlatformSettings } from './settings.ts';

/** Whether the settings say which app this is, and have its secret. */
export const knowsApp = ({ graphUrl, clientId, appSecret }: PlatformSettings): boolean =>
  graphUrl !== undefined && clientId !== undefined && appSecret !== undefined;

/**
 * Calls the platform with the app's own token (`id|secret`).
 * @throws PlatformError `not_configured`; `refused` where that token is not accepted: it says nothing about any connection
 */
export async function asApp<Result>(
  settings: PlatformSettings,
  call: (access: GraphAccess, appId: string) => Promise<Result>,
): Promise<Result> {
  const { clientId, appSecret } = settings;
  if (clientId === undefined || appSecret === undefined) throw new PlatformError('not_configured');
  try {
    return await call({ settings, accessToken: `${clientId}|${appSecret}` }, clientId);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== 'token') throw error;
    const details = 'It does not know the app of MESSAGING_CLIENT_ID by its secret.';
    throw new PlatformError('refused', { ...error.facts, details }, error);
  }
}
