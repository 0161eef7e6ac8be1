import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { LaunchError } from './launch-error.ts';

const secretsSchema = z.object({
  AUTH_SECRET: z.string().min(32),
  ENCRYPTION_KEYS: z.string().min(1),
  SANDBOX_CLIENT_SECRET: z.string().min(32),
});

export type Secrets = z.infer<typeof secretsSchema>;

/**
 * The secrets of this installation, from `secrets.json` (mode 0600) in the data folder; null: none were created yet. @throws
 * LaunchError when the file exists but is invalid: new keys would make stored tokens unreadable.
 */
export function readSecrets(dataFolder: string): Secrets | null {
  const path = join(dataFolder, 'secrets.json');
  try {
    return secretsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new LaunchError(
      `${path} cannot be used: ${(cause as Error).message}\nIt holds the keys of everything that is kept encrypted: ` +
        'restore it from a backup. Remove it only if you can lose the stored connections and webhook URLs.',
      { cause },
    );
  }
}

/** Like readSecrets; they are created on first start. */
export function readOrCreateSecrets(dataFolder: string, say: (line: string) => void): Secrets {
  const existing = readSecrets(dataFolder);
  if (existing) return existing;
  const path = join(dataFolder, 'secrets.json');
  const secrets: Secrets = {
    AUTH_SECRET: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SANDBOX_CLIENT_SECRET: randomBytes(32).toString('base64url'),
  };
  writeSecrets(dataFolder, secrets);
  say(`Created secrets in ${path}: back it up together with the database`);
  return secrets;
}

/** Replaces `secrets.json` atomically. */
export function writeSecrets(dataFolder: string, secrets: Secrets): void {
  const path = join(dataFolder, 'secrets.json');
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}
