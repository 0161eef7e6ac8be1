// The composition root of a process, where its shared objects are created once. Next bundles its own copies of modules, so it
// lives on globalThis.
import type { Logger } from 'pino';
import { ProcessClock } from '#lib/core/clock.ts';
import { createSecretBox, type SecretBox } from '#lib/core/crypto/secret-box.ts';
import { type Database, openDatabase, openHotPool, type Pool } from '#lib/core/db/client.ts';
import { POOL_SIZES, type ProcessKind } from '#lib/core/db/connection-budget.ts';
import { env, type Settings } from '#lib/core/env.ts';

/** Its pools are described in lib/core/db/connection-budget.ts. */
export interface ProcessRuntime {
  settings: Settings;
  logger: Logger;
  clock: ProcessClock;
  db: Database;
  hot: Pool;
  engine: Pool;
  vital: Pool;
  baseUrl: string;
  /** `PATCHBAY_API_KEY`. */
  environmentKey: string | undefined;
  /** @throws Error when ENCRYPTION_KEYS is missing or wrong: not everything needs them */
  readonly secrets: SecretBox;
  /** Memoizes `make` by name, for example the receiver of webhooks, which the host and Next share. */
  once<Part>(name: string, make: () => Part): Part;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Longer than any statement of a screen or a task: one that takes longer waits for a database that vanished. */
const ANSWER_TIMEOUT_MS = 15_000;

const KEY = Symbol.for('patchbay.process');

/**
 * The runtime of this process, created on first use, so that builds need no settings.
 * @throws Error for invalid settings
 */
export function processRuntime(kind: ProcessKind = 'web'): Promise<ProcessRuntime> {
  const shared = globalThis as { [KEY]?: Promise<ProcessRuntime> };
  shared[KEY] ??= import('#lib/core/log.ts').then(({ logger }) => openRuntime(kind, env(), logger));
  return shared[KEY];
}

/** A runtime with its own connections. */
export function openRuntime(kind: ProcessKind, settings: Settings, logger: Logger): ProcessRuntime {
  const sizes = POOL_SIZES[kind];
  const url = settings.DATABASE_URL;
  const db = openDatabase(url, {
    maxConnections: sizes.ordinary,
    name: `patchbay-${kind}`,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
  });
  const hot = openHotPool(url, { maxConnections: sizes.hot, name: `patchbay-${kind}-hot` });
  const engine = sizes.engine
    ? openHotPool(url, { maxConnections: sizes.engine, name: `patchbay-${kind}-engine` })
    : hot;
  const vital = openHotPool(url, { maxConnections: sizes.vital, name: `patchbay-${kind}-vital` });
  const parts = new Map<string, unknown>();
  let secrets: SecretBox | undefined;
  return {
    settings,
    logger,
    clock: new ProcessClock(),
    db,
    hot,
    engine,
    vital,
    baseUrl: settings.BASE_URL,
    environmentKey: settings.PATCHBAY_API_KEY,
    get secrets() {
      secrets ??= openSecrets(settings);
      return secrets;
    },
    once<Part>(name: string, make: () => Part): Part {
      if (!parts.has(name)) parts.set(name, make());
      return parts.get(name) as Part;
    },
    async close() {
      await Promise.all([...new Set([db.$client, hot, engine, vital])].map((pool) => pool.end()));
    },
  };
}

function openSecrets({ ENCRYPTION_KEYS }: Settings): SecretBox {
  if (!ENCRYPTION_KEYS) throw new Error('ENCRYPTION_KEYS is not set: `npm start` creates one.');
  return createSecretBox(ENCRYPTION_KEYS);
}
