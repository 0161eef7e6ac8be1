import type { Logger } from 'pino';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';
import type { Settings } from '#lib/core/env.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';

/** Resources for finding, recording and sending alerts. */
export interface AlertRuntime {
  db: Database;
  readonly secrets: SecretBox;
  /** Patchbay's own address, for links. */
  baseUrl: string;
  settings: Settings;
  logger: Logger;
}

export const toAlertRuntime = (runtime: ProcessRuntime): AlertRuntime => ({
  db: runtime.db,
  secrets: runtime.secrets,
  baseUrl: runtime.baseUrl,
  settings: runtime.settings,
  logger: runtime.logger,
});
