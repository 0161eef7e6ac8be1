import type { Secrets } from './secrets.ts';

/** Settings by their names. */
export type Environment = Record<string, string | undefined>;

export interface SandboxAddress {
  port: number;
  publicUrl: string;
}

export interface EnvironmentInput {
  /** The launcher's own environment. Its settings take precedence over all defaults here. */
  own: Environment;
  port: number;
  baseUrl: string;
  databaseUrl: string;
  secrets: Secrets;
  sandbox: SandboxAddress | null;
  /** Where files that customers sent are stored, unless a setting says otherwise. */
  mediaFolder: string;
  /** Several web processes listen on the one port. */
  sharePort: boolean;
  /** In development: web's port on loopback. Callers connect to `port`, on which the launcher listens (door.ts). */
  innerPort: number | null;
  development: boolean;
}

/** Read by web; not a setting, because only the launcher sets it. */
export const INNER_PORT_VARIABLE = 'PATCHBAY_INNER_PORT';

const SANDBOX_CLIENT_ID = 'patchbay-sandbox';
const SANDBOX_SIGN_IN_CLIENT_ID = 'patchbay-sign-in';

/**
 * glibc keeps freed memory of large bodies for itself unless they are mapped one by one: 100 bodies of 10 MB at once left the
 * web process at 805 MB instead of 560 to 635.
 */
const MMAP_THRESHOLD = '65536';

/**
 * Objects of requests in progress outlive V8's 16 MB for new objects, and are copied twice: with 64 MB a webhook of five tasks
 * costs the web process 62 µs instead of 70 (32 connections, medians of four rounds in alternation).
 */
const YOUNG_OBJECTS = '--max-semi-space-size=64';

/** Memory options of web and worker, unless their own environment has others. */
export const memorySettings = (own: Environment): Record<string, string> => ({
  MALLOC_MMAP_THRESHOLD_: own['MALLOC_MMAP_THRESHOLD_'] ?? MMAP_THRESHOLD,
  NODE_OPTIONS: [YOUNG_OBJECTS, own['NODE_OPTIONS']].filter(Boolean).join(' '),
});

/** The environment of web and worker: complete settings, with the sandbox's addresses where there is one. */
export function appEnvironment(input: EnvironmentInput): Environment {
  const { own, secrets, sandbox } = input;
  return {
    ...own,
    ...memorySettings(own),
    NODE_ENV: input.development ? 'development' : 'production',
    ...(input.development ? { NEXT_TELEMETRY_DISABLED: '1' } : {}),
    PORT: String(input.port),
    BASE_URL: input.baseUrl,
    ...(input.innerPort === null ? {} : { [INNER_PORT_VARIABLE]: String(input.innerPort) }),
    ...(input.sharePort ? { REUSE_PORT: 'on' } : {}),
    DATABASE_URL: input.databaseUrl,
    AUTH_SECRET: own['AUTH_SECRET'] || secrets.AUTH_SECRET,
    ENCRYPTION_KEYS: own['ENCRYPTION_KEYS'] || secrets.ENCRYPTION_KEYS,
    MEDIA_FOLDER: own['MEDIA_FOLDER'] || input.mediaFolder,
    SANDBOX_PUBLIC_URL: sandbox?.publicUrl,
    ...(sandbox ? messagingSettings(sandbox, secrets) : {}),
    ...(sandbox && !own['AUTH_OIDC_ISSUER'] ? signInSettings(sandbox, secrets) : {}),
  };
}

/**
 * The environment of the sandbox: nothing of the database or of Patchbay's keys.
 * @param stateFolder folder for its state, unless its own setting has another one
 */
export function sandboxEnvironment(
  { own, baseUrl, secrets, sandbox }: EnvironmentInput,
  stateFolder: string,
): Environment {
  const { DATABASE_URL: _database, AUTH_SECRET: _auth, ENCRYPTION_KEYS: _keys, ...rest } = own;
  return {
    SANDBOX_STATE_DIR: stateFolder,
    ...rest,
    NODE_ENV: 'production',
    SANDBOX_PORT: String(sandbox?.port),
    SANDBOX_PUBLIC_URL: sandbox?.publicUrl,
    SANDBOX_REDIRECT_URIS: `${baseUrl}/oauth/callback`,
    SANDBOX_CLIENT_ID,
    SANDBOX_CLIENT_SECRET: secrets.SANDBOX_CLIENT_SECRET,
    SANDBOX_SIGN_IN_REDIRECT_URIS: `${baseUrl}/api/auth/callback/oidc`,
    SANDBOX_SIGN_IN_CLIENT_ID,
    SANDBOX_SIGN_IN_CLIENT_SECRET: secrets.SANDBOX_CLIENT_SECRET,
  };
}

/** The sandbox is also an identity provider for signing in, so that the demo includes it. */
function signInSettings({ publicUrl }: SandboxAddress, secrets: Secrets): Environment {
  return {
    AUTH_OIDC_ISSUER: publicUrl,
    AUTH_OIDC_CLIENT_ID: SANDBOX_SIGN_IN_CLIENT_ID,
    AUTH_OIDC_CLIENT_SECRET: secrets.SANDBOX_CLIENT_SECRET,
    AUTH_OIDC_NAME: 'the sandbox',
  };
}

function messagingSettings({ publicUrl }: SandboxAddress, secrets: Secrets): Environment {
  return {
    MESSAGING_GRAPH_URL: publicUrl,
    MESSAGING_AUTHORIZE_URL: `${publicUrl}/oauth/authorize`,
    MESSAGING_TOKEN_URL: `${publicUrl}/oauth/token`,
    MESSAGING_ISSUER: publicUrl,
    MESSAGING_CLIENT_ID: SANDBOX_CLIENT_ID,
    MESSAGING_CLIENT_SECRET: secrets.SANDBOX_CLIENT_SECRET,
  };
}
