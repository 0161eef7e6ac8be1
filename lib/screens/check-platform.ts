import type { Settings } from '#lib/core/env.ts';
import { judgeGraphVersion, NEWEST_VERSION } from '#lib/messaging/platform/graph-versions.ts';
import type { SignInSetup } from './connection-types.ts';
import type { HealthCheck } from './health-types.ts';

type PlatformPart = Pick<Settings, 'MESSAGING_GRAPH_URL' | 'MESSAGING_GRAPH_VERSION' | 'SANDBOX_PUBLIC_URL'>;

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** The health page's check of the messaging platform: whether its API version is still available. */
export function checkPlatform(settings: PlatformPart, now = new Date()): Omit<HealthCheck, 'id'> {
  const version = settings.MESSAGING_GRAPH_VERSION;
  if (settings.MESSAGING_GRAPH_URL === undefined) return finding('No messaging platform is configured.');
  if (isSandbox(settings)) return finding('The sandbox stands in for it.');
  const { state, until } = judgeGraphVersion(version, now);
  const name = `Version ${version} of its API`;
  const fix = `Set MESSAGING_GRAPH_VERSION to a newer version, such as ${NEWEST_VERSION}, and restart Patchbay.`;
  switch (state) {
    case 'ended':
      return finding(
        `${name} ${until ? `expired on ${DAY.format(until)}` : 'has expired'}. The platform uses its oldest available version instead.`,
        fix,
      );
    case 'ends_soon':
      return finding(`${name} expires on ${DAY.format(until)}.`, fix);
    case 'available':
      return finding(until ? `${name} is available until ${DAY.format(until)}.` : `${name} is the newest.`);
    case 'unknown':
      return finding(`${name} is newer than this version of Patchbay, which does not know when it expires.`);
  }
}

/** Whether the included sandbox is the platform. */
export const isSandbox = ({
  MESSAGING_GRAPH_URL: url,
  SANDBOX_PUBLIC_URL: sandbox,
}: Pick<PlatformPart, 'MESSAGING_GRAPH_URL' | 'SANDBOX_PUBLIC_URL'>): boolean =>
  url !== undefined && sandbox !== undefined && new URL(url).origin === new URL(sandbox).origin;

const finding = (what: string, fix: string | null = null): Omit<HealthCheck, 'id'> => ({
  result: fix === null ? 'ok' : 'warning',
  what,
  fix,
  at: null,
});

type SignInPart = Pick<
  Settings,
  | 'MESSAGING_GRAPH_URL'
  | 'SANDBOX_PUBLIC_URL'
  | 'MESSAGING_AUTHORIZE_URL'
  | 'MESSAGING_TOKEN_URL'
  | 'MESSAGING_CLIENT_ID'
  | 'MESSAGING_LOGIN_CONFIG_ID'
>;

/** Whether people can sign in at the platform, before they try: a refusal there has no way back. */
export function signInSetupOf(settings: SignInPart): SignInSetup {
  const { MESSAGING_AUTHORIZE_URL, MESSAGING_TOKEN_URL, MESSAGING_CLIENT_ID } = settings;
  if (!MESSAGING_AUTHORIZE_URL || !MESSAGING_TOKEN_URL || !MESSAGING_CLIENT_ID) return 'missing';
  if (isSandbox(settings) || settings.MESSAGING_LOGIN_CONFIG_ID !== undefined) return 'ready';
  return 'without_configuration';
}
