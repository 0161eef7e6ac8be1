import { env } from '#lib/core/env.ts';
import type { Context } from '#lib/identity/context.ts';
import { type PlatformSettings, platformSettingsOf } from '#lib/messaging/platform/settings.ts';

/** Scopes of OpenID Connect: the platform does not list them for a token. */
const NOT_LISTED = ['openid', 'profile', 'email', 'offline_access'];

/** Any workspace's context; without a platform, the settings of this process apply. */
export type ScopesContext = Pick<Context, 'workspaceId'> & { platform?: Pick<PlatformSettings, 'scopes'> };

/**
 * Scopes that the login requests and that a connection was not granted (spec, Authentication 2). The scopes of an app's login
 * configuration are unknown here: then only the platform's responses count. @param hasAnswered whether its business account is
 * accessible: then only the right to send is derived from names, because only a message would prove it.
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
 * The right of a scope, independent of the platform's name in it: `chat_business_messaging` of the specification is
 * `whatsapp_business_messaging`. Tokens of embedded signup have `…_manage_events` in place of `…_management`, with the same
 * rights.
 */
const rightOf = (scope: string): string =>
  scope.replace(/^[a-z]+_business_/, '').replace(/^manage_events$/, 'management');

export const GRANT_EVERYTHING = 'Reconnect the connection and leave every box checked.';
