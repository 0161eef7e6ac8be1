import type { Settings } from './settings.ts';

export type ClientOptions = { id: string; secret: string; redirectUris: string[] };

/** Options of `startSandbox`; all have defaults that work on one machine. */
export type SandboxOptions = {
  /** 0: a free port. */
  port?: number;
  /** The address to listen on. */
  host?: string;
  /** The sandbox's URL for browsers and clients; also the issuer. Default: `http://127.0.0.1:<port>`. */
  publicUrl?: string;
  /** The client of the connections (authorization code, PKCE, refresh tokens). */
  client?: Partial<ClientOptions>;
  /** The client for signing in to the app itself (OpenID Connect). */
  signInClient?: Partial<ClientOptions>;
  settings?: Partial<Settings>;
  /** Folder for its state; left out: only in memory. */
  stateFolder?: string;
};

export type ResolvedOptions = {
  publicUrl: string;
  client: ClientOptions;
  signInClient: ClientOptions;
  settings: Partial<Settings>;
};

const DEFAULT_CLIENT: ClientOptions = {
  id: 'patchbay-sandbox',
  secret: 'sandbox-secret-for-development-only',
  redirectUris: ['http://127.0.0.1:3000/oauth/callback', 'http://localhost:3000/oauth/callback'],
};

const DEFAULT_SIGN_IN_CLIENT: ClientOptions = {
  id: 'patchbay-sandbox-sign-in',
  secret: 'sandbox-sign-in-secret-for-development-only',
  redirectUris: [
    'http://127.0.0.1:3000/api/auth/callback/oidc',
    'http://localhost:3000/api/auth/callback/oidc',
  ],
};

/** Fills in the defaults once the port is known. */
export function resolveOptions(options: SandboxOptions, port: number): ResolvedOptions {
  return {
    publicUrl: (options.publicUrl ?? `http://127.0.0.1:${port}`).replace(/\/+$/, ''),
    client: { ...DEFAULT_CLIENT, ...options.client },
    signInClient: { ...DEFAULT_SIGN_IN_CLIENT, ...options.signInClient },
    settings: options.settings ?? {},
  };
}

/** Reads the `SANDBOX_…` variables. Throws with the name of the variable when one cannot be used. */
export function readOptions(env: Record<string, string | undefined>): SandboxOptions {
  const port = Number(env.SANDBOX_PORT ?? '4010');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`SANDBOX_PORT must be a port number from 0 to 65535, not "${env.SANDBOX_PORT}".`);
  }
  const publicUrl = env.SANDBOX_PUBLIC_URL || undefined;
  if (publicUrl !== undefined && !URL.canParse(publicUrl)) {
    throw new Error(`SANDBOX_PUBLIC_URL must be a URL such as http://127.0.0.1:4010, not "${publicUrl}".`);
  }
  const strict = readSwitch(env, 'SANDBOX_STRICT');
  return {
    port,
    ...(env.SANDBOX_HOST ? { host: env.SANDBOX_HOST } : {}),
    ...(publicUrl ? { publicUrl } : {}),
    ...(env.SANDBOX_STATE_DIR ? { stateFolder: env.SANDBOX_STATE_DIR } : {}),
    ...(strict === undefined ? {} : { settings: { strict } }),
    client: readClient(env, 'SANDBOX'),
    signInClient: readClient(env, 'SANDBOX_SIGN_IN'),
  };
}

/** undefined: not set, so that the value before a restart is kept. */
function readSwitch(env: Record<string, string | undefined>, name: string): boolean | undefined {
  const value = env[name] ?? '';
  if (!['', '0', '1'].includes(value)) throw new Error(`${name} must be 1 or 0, not "${value}".`);
  return value === '' ? undefined : value === '1';
}

function readClient(env: Record<string, string | undefined>, prefix: string): Partial<ClientOptions> {
  const id = env[`${prefix}_CLIENT_ID`];
  const secret = env[`${prefix}_CLIENT_SECRET`];
  const redirectUris = (env[`${prefix}_REDIRECT_URIS`] ?? '')
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');
  for (const uri of redirectUris) {
    if (!URL.canParse(uri)) throw new Error(`${prefix}_REDIRECT_URIS: "${uri}" is not a URL.`);
  }
  return {
    ...(id ? { id } : {}),
    ...(secret ? { secret } : {}),
    ...(redirectUris.length > 0 ? { redirectUris } : {}),
  };
}
