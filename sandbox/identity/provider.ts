import Provider, { type Client, type Context, interactionPolicy } from 'oidc-provider';
import { isStrict, type Settings } from '../settings.ts';
import type { World } from '../world.ts';
import { type DemoAccount, findDemoAccount } from './demo-accounts.ts';
import { refusalPage } from './refusal-page.ts';
import { SCOPE_WORDS } from './scopes.ts';

const { Check } = interactionPolicy;

/**
 * Asks for the account every time, also with an existing session: a connection is usually created for another account than the
 * last one, and tests can rely on the page.
 */
function createInteractionPolicy(): ReturnType<typeof interactionPolicy.base> {
  const policy = interactionPolicy.base();
  policy
    .get('login')
    .checks.add(
      new Check('account_choice', 'select an account', (context: Context) =>
        context.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    );
  return policy;
}

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Spec, Authentication 3: the access token lives 30 minutes, the refresh token 90 days. */
export const ACCESS_TOKEN_SECONDS = HOUR_SECONDS / 2;
export const REFRESH_TOKEN_SECONDS = 90 * DAY_SECONDS;
/** Strict: the login's tokens live 60 days and are exchanged for others, because there are no refresh tokens. */
export const LONG_LIVED_SECONDS = 60 * DAY_SECONDS;

/** Paths of the identity provider; discovery is at `/.well-known/openid-configuration`. */
const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  userinfo: '/oauth/userinfo',
  jwks: '/oauth/jwks',
  end_session: '/oauth/logout',
};

/** OpenID Connect Core 5.6.2. */
const GROUPS_ELSEWHERE = {
  _claim_names: { groups: 'src1' },
  _claim_sources: { src1: { endpoint: 'https://directory.example/groups' } },
};

/** Whether a path belongs to the identity provider. */
export function isProviderPath(path: string): boolean {
  return path.startsWith('/oauth/') || path.startsWith('/.well-known/');
}

/** The identity provider over the world's token store: code flow with PKCE, refresh, OpenID Connect. */
export function createProvider(world: World): Provider {
  const provider = new Provider(world.options.publicUrl, {
    adapter: (model: string) => world.tokens.adapter(model),
    clients: createClients(world),
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    clockTolerance: 0,
    jwks: { keys: [world.keys.signing] },
    cookies: {
      keys: [world.keys.cookies],
      names: { session: 'sandbox_session', interaction: 'sandbox_login', resume: 'sandbox_resume' },
    },
    scopes: Object.keys(SCOPE_WORDS),
    claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    routes: ROUTES,
    pkce: { required: () => !isStrict(world) },
    responseTypes: ['code'],
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true, allowedPolicy: ownsToken },
      rpInitiatedLogout: { enabled: true },
    },
    interactions: {
      policy: createInteractionPolicy(),
      url: (_context: Context, { uid }: { uid: string }) => `/login/${uid}`,
    },
    findAccount: (_context: Context, id: string) => findAccount(world, id),
    loadExistingGrant: (context: Context) => loadGrant(provider, world, context),
    expiresWithSession: () => false,
    issueRefreshToken: (_context: Context, client: Client) => !isStrictClient(world, client),
    rotateRefreshToken: () => world.settings.rotate_refresh_tokens,
    ttl: {
      AccessToken: (_context: Context, _token: unknown, client: Client) =>
        isStrictClient(world, client) ? LONG_LIVED_SECONDS : ACCESS_TOKEN_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      AuthorizationCode: 600,
      IdToken: HOUR_SECONDS,
      Interaction: HOUR_SECONDS,
      Session: DAY_SECONDS,
      // Rotation issues new refresh tokens under one grant, so that the grant must outlive many of them.
      Grant: 20 * 365 * DAY_SECONDS,
    },
    renderError,
  });
  provider.proxy = true;
  provider.on('server_error', (_context: unknown, error: unknown) => console.error(error));
  return provider;
}

const isStrictClient = (world: World, { clientId }: Client): boolean =>
  isStrict(world) && clientId === world.options.client.id;

function createClients({ options }: World): object[] {
  return [options.client, options.signInClient].map(({ id, secret, redirectUris }) => ({
    client_id: id,
    client_secret: secret,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }));
}

async function findAccount({ settings }: World, id: string): Promise<object | undefined> {
  const account = findDemoAccount(id);
  if (!account) return undefined;
  return { accountId: id, claims: async () => claimsOf(account, settings) };
}

function claimsOf({ id: sub, name, email, groups }: DemoAccount, settings: Settings): object {
  const isVerified = settings.email_verified === 'verified';
  return {
    sub,
    name,
    email,
    ...(settings.email_verified === 'unsaid' ? {} : { email_verified: isVerified }),
    ...(settings.groups === 'listed' ? { groups } : GROUPS_ELSEWHERE),
  };
}

function ownsToken(_context: Context, client: { clientId: string }, token: { clientId: string }): boolean {
  return token.clientId === client.clientId;
}

/** Signing in needs no consent page; a connection always asks again, so that scopes can be left out. */
async function loadGrant(provider: Provider, world: World, context: Context): Promise<unknown> {
  const { client, result, session, params } = context.oidc;
  const grantId = result?.consent?.grantId;
  if (grantId) return (provider.Grant as unknown as { find(id: string): Promise<unknown> }).find(grantId);
  if (client.clientId !== world.options.signInClient.id || !session.accountId) return undefined;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope(params.scope ?? 'openid');
  await grant.save();
  return grant;
}

async function renderError(
  context: Context,
  fault: { error: string; error_description?: string },
): Promise<void> {
  context.type = 'html';
  context.body = refusalPage(fault.error, fault.error_description ?? '');
}
