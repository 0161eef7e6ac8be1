// What everything about messages shares in this process: executors, the receiver, the screens. Next bundles its own
// copies of modules, so it lives on globalThis.
import type { Logger } from 'pino';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { refreshDueConnections } from '#lib/messaging/connections/refresh-due-connections.ts';
import { createSecretBox, type SecretBox } from '#lib/core/crypto/secret-box.ts';
import { type Database, openDatabase, openHotPool, type Pool } from '#lib/core/db/client.ts';
import { env, type Settings } from '#lib/core/env.ts';
import { type PlatformSettings, platformSettingsOf } from '#lib/messaging/platform/settings.ts';
import { pruneSecrets } from '#lib/secrets/prune-secrets.ts';
import type { Context } from '#lib/identity/context.ts';
import { pruneMessaging } from './prune-messaging.ts';

export interface MessagingRuntime {
  db: Database;
  /** For statements that reach every row by its key, and for the intake. */
  hot: Pool;
  secrets: SecretBox;
  platform: PlatformSettings;
  baseUrl: string;
  logger: Logger;
  close(): Promise<void>;
}

const KEY = Symbol.for('patchbay.messaging');
const HOUSEKEEPING_MS = 3_600_000;

/** Made on first use; from then on this process also prunes and refreshes connections that nobody uses, once an hour. */
export function messagingRuntime(): Promise<MessagingRuntime> {
  const shared = globalThis as { [KEY]?: Promise<MessagingRuntime> };
  shared[KEY] ??= import('#lib/core/log.ts').then(({ logger }) => createMessagingRuntime(env(), logger));
  return shared[KEY];
}

/** A runtime with connections of its own; `close` ends them. @throws Error when ENCRYPTION_KEYS is missing or wrong */
export function createMessagingRuntime(settings: Settings, log: Logger): MessagingRuntime {
  if (!settings.ENCRYPTION_KEYS)
    throw new Error('ENCRYPTION_KEYS is not set: `npm start` makes and keeps one.');
  const secrets = createSecretBox(settings.ENCRYPTION_KEYS);
  const db = openDatabase(settings.DATABASE_URL, { maxConnections: 6, name: 'patchbay-messaging' });
  const hot = openHotPool(settings.DATABASE_URL, { maxConnections: 6, name: 'patchbay-messaging-hot' });
  const runtime = {
    db,
    hot,
    secrets,
    platform: platformSettingsOf(settings),
    baseUrl: settings.BASE_URL,
    logger: log,
  };
  const timer = setInterval(() => void keepHouse(runtime), HOUSEKEEPING_MS);
  timer.unref();
  return {
    ...runtime,
    async close() {
      clearInterval(timer);
      await Promise.all([db.$client.end(), hot.end()]);
    },
  };
}

async function keepHouse(runtime: Omit<MessagingRuntime, 'close'>): Promise<void> {
  try {
    await pruneMessaging(runtime.hot);
    await pruneSecrets(runtime.db.$client);
    await refreshDueConnections(runtime);
  } catch (error) {
    runtime.logger.warn({ err: error }, 'cleanup of messages failed; retrying in an hour');
  }
}

/** A workspace's context for the verbs of connections and messages. */
export const toMessagingContext = <Given extends Context>(
  ctx: Given,
): Given & Pick<MessagingContext, 'platform'> => ({
  ...ctx,
  platform: platformSettingsOf(env()),
});
