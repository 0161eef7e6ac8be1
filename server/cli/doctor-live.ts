// `patchbay doctor --live`: checks each step of docs/guides/connect-the-platform.md with the platform and with Patchbay's own
// public address. It prints no token and no secret.
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';
import type { Settings } from '#lib/core/env.ts';
import { checkConnection } from '#lib/messaging/connections/check-connection.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import type { Check } from '#lib/messaging/connections/schema.ts';
import { checkAppSubscription, checkUnrouted } from '#lib/messaging/notifications/check-app.ts';
import { knowsApp } from '#lib/messaging/platform/graph.ts';
import { platformSettingsOf, type PlatformSettings } from '#lib/messaging/platform/settings.ts';
import { connections } from '#lib/messaging/schema/connections.ts';
import { checkPlatform, isSandbox } from '#lib/screens/check-platform.ts';
import { checkCallback } from './check-callback.ts';
import { type Finding, ok, problem, warning } from './findings.ts';
import { findEncryptionKeys, type Installation, readProductSettings } from './installation.ts';

const GUIDE = 'docs/guides/connect-the-platform.md';

const TITLES: Record<Check['id'], string> = {
  token: 'access token',
  scopes: 'scopes',
  accounts: 'business account',
  numbers: 'numbers',
  sending: 'sending',
  notifications: 'notifications',
};

/** The platform's state of every step of going live. @param db with migrated tables */
export async function liveFindings(
  db: Database,
  { settings: launch, databaseUrl }: Installation,
): Promise<Finding[]> {
  const settings = readProductSettings(databaseUrl);
  const platform = platformSettingsOf(settings);
  if (platform.graphUrl === undefined || isSandbox(settings))
    return [
      warning('Platform', `none is set: the sandbox stands in for it. Set MESSAGING_GRAPH_URL (${GUIDE}).`),
    ];
  const ctx = { platform, baseUrl: settings.BASE_URL };
  return [
    fromCheck('API version', checkPlatform(settings)),
    appFinding(platform),
    ...signInFindings(settings, platform),
    await checkCallback(ctx),
    ...(await appSubscriptionFindings(db, ctx)),
    ...(await connectionFindings(db, { ...ctx, keys: findEncryptionKeys(launch) })),
  ];
}

function fromCheck(about: string, { result, what, fix }: Pick<Check, 'result' | 'what' | 'fix'>): Finding {
  const state = result === 'failed' ? 'problem' : result;
  return { about, state, text: fix === null ? what : `${what} ${fix}` };
}

const appFinding = (platform: PlatformSettings): Finding =>
  knowsApp(platform)
    ? ok('App', `${platform.clientId}, and its secret is set`)
    : problem(
        'App',
        'Set MESSAGING_CLIENT_ID and MESSAGING_CLIENT_SECRET to the ID and the secret of the platform app: without them no notification can be verified.',
      );

/** Not needed by companies that use the token of a system user. */
function signInFindings(settings: Settings, platform: PlatformSettings): Finding[] {
  const about = 'Sign-in at the platform';
  const { authorizeUrl, tokenUrl, loginConfigId } = platform;
  if (authorizeUrl === undefined && tokenUrl === undefined)
    return [ok(about, 'not set up; the token of a system user needs none')];
  const missing = [
    authorizeUrl === undefined && 'MESSAGING_AUTHORIZE_URL',
    tokenUrl === undefined && 'MESSAGING_TOKEN_URL',
  ].filter((name) => name !== false);
  if (missing.length > 0) return [problem(about, `Set ${missing.join(' and ')}, or neither.`)];
  if (loginConfigId === undefined)
    return [
      warning(
        about,
        'MESSAGING_LOGIN_CONFIG_ID is not set. Facebook Login for Business answers a sign-in without a configuration with “app isn’t available”: set its ID.',
      ),
    ];
  return [
    ok(about, `with the configuration ${loginConfigId}; it returns to ${settings.BASE_URL}/oauth/callback`),
  ];
}

async function appSubscriptionFindings(
  db: Database,
  ctx: Pick<MessagingContext, 'platform' | 'baseUrl'>,
): Promise<Finding[]> {
  if (!knowsApp(ctx.platform)) return [];
  const unrouted = await checkUnrouted({ db });
  return [
    fromCheck('Notifications of the app', await checkAppSubscription(ctx)),
    ...(unrouted === null ? [] : [fromCheck('Notifications without a connection', unrouted)]),
  ];
}

async function connectionFindings(
  db: Database,
  { keys, ...ctx }: Pick<MessagingContext, 'platform' | 'baseUrl'> & { keys: string | undefined },
): Promise<Finding[]> {
  const rows = await db
    .select({ id: connections.id, workspaceId: connections.workspaceId, name: connections.name })
    .from(connections)
    .orderBy(connections.createdAt, connections.id);
  if (rows.length === 0)
    return [problem('Connections', 'there are none: connect the business account under Connections.')];
  if (!keys)
    return [problem('Connections', 'their tokens cannot be read: there are no encryption keys here.')];
  const secrets = createSecretBox(keys);
  const found: Finding[] = [];
  for (const { id, workspaceId, name } of rows) {
    const checks = await checkConnection({ ...ctx, db, secrets, workspaceId }, { id });
    found.push(...checks.map((check) => fromCheck(`“${name}”, ${TITLES[check.id]}`, check)));
  }
  return found;
}
