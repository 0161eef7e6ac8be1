// What the API and the screens of this process share. Next bundles its own copies of modules, so it lives on globalThis.
import type { Logger } from 'pino';
import { createSecretBox, type SecretBox } from '#lib/core/crypto/secret-box.ts';
import { openDatabase, type Database } from '#lib/core/db/client.ts';
import { env } from '#lib/core/env.ts';

export interface ApiRuntime {
  db: Database;
  secrets: SecretBox;
  baseUrl: string;
  /** `PATCHBAY_API_KEY`. */
  environmentKey: string | undefined;
  logger: Logger;
}

const KEY = Symbol.for('patchbay.api');
const MAX_CONNECTIONS = 10;

/** Made on first use, so that building needs no settings. @throws Error when a setting is missing or wrong */
export function apiRuntime(): Promise<ApiRuntime> {
  const shared = globalThis as { [KEY]?: Promise<ApiRuntime> };
  shared[KEY] ??= createRuntime();
  return shared[KEY];
}

async function createRuntime(): Promise<ApiRuntime> {
  const { logger } = await import('#lib/core/log.ts');
  const { DATABASE_URL, BASE_URL, ENCRYPTION_KEYS, PATCHBAY_API_KEY } = env();
  if (!ENCRYPTION_KEYS) throw new Error('ENCRYPTION_KEYS is not set: `npm start` makes and keeps one.');
  return {
    db: openDatabase(DATABASE_URL, { maxConnections: MAX_CONNECTIONS, name: 'patchbay-api' }),
    secrets: createSecretBox(ENCRYPTION_KEYS),
    baseUrl: BASE_URL,
    environmentKey: PATCHBAY_API_KEY,
    logger,
  };
}
