import { env } from '#lib/core/env.ts';
import type { Context } from '#lib/identity/context.ts';
import { type PlatformSettings, platformSettingsOf } from '#lib/messaging/platform/settings.ts';

/** Of OpenID Connect: the platform does not list them among what a token may do. */
const NOT_LISTED = ['openid', 'profile', 'email', 'offline_access'];

/** Any workspace's context; of one that names no platform the settings of this process count. */
export type ScopesContext = Pick<Context, 'workspaceId'> & { platform?: Pick<PlatformSettings, 'scopes'> };

/**
 * Scopes that the login asks for and a connection was not granted (spec, Authentication 2). What a configuration of the app asks
 * for is not known here: then the platform's answers alone say what may be done.
 * @param hasAnswered whether its business account answers: then only the right to send is judged by names, as nothing but a
 * message would prove it.
 */
export const findMissingScopes = (
  granted: readonly string[],
  { platform }: ScopesContext,
  hasAnswered = false,
): string[] => {
  const rights = new Set(granted.map(rightOf));
  return (platform ?? platformSettingsOf(env())).scopes.filter(
    (scope) =>
      !NOT_LISTED.includes(scope) &&
      !rights.has(rightOf(scope)) &&
      !(hasAnswered && rightOf(scope) !== 'messaging'),
  );
};

/**
 * What a scope allows, whatever the platform is called in its name: `chat_business_messaging` of the specification is
 * `whatsapp_business_messaging`. Tokens of embedded signup name `…_manage_events` in place of `…_management`, and may do the same.
 */
const rightOf = (scope: string): string =>
  scope.replace(/^[a-z]+_business_/, '').replace(/^manage_events$/, 'management');

export const GRANT_EVERYTHING = 'Reconnect the connection and leave every box checked.';
