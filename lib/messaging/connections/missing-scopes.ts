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
 */
export const findMissingScopes = (granted: readonly string[], { platform }: ScopesContext): string[] =>
  (platform ?? platformSettingsOf(env())).scopes.filter(
    (scope) => !NOT_LISTED.includes(scope) && !isGranted(granted, scope),
  );

/** Tokens of embedded signup name `…_manage_events` in place of `…_management`, and may do the same. */
const isGranted = (granted: readonly string[], scope: string): boolean =>
  granted.includes(scope) || granted.includes(scope.replace(/_management$/, '_manage_events'));

export const GRANT_EVERYTHING = 'Reconnect the connection and leave every box checked.';
