// Web and worker as `npm start` runs them: from their bundles, in the environment that the launcher gives them.
import { appEnvironment } from '../../server/launcher/environments.ts';
import { programFile } from '../../server/launcher/settings.ts';
import { type Child, startChild } from '../children.ts';

const root = new URL('../..', import.meta.url).pathname;

/** Of a throw-away installation. */
const secrets = {
  AUTH_SECRET: 'bench-bench-bench-bench-bench-bench-bench',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  SANDBOX_CLIENT_SECRET: '',
};

/** Starts one of them; the bundles are there (`buildIfNeeded`). */
export function startProgram(
  part: 'web' | 'worker',
  databaseUrl: string,
  port: number,
  settings: Record<string, string> = {},
): Promise<Child> {
  const environment = appEnvironment({
    own: { LOG_LEVEL: 'warn', ...settings },
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    databaseUrl,
    secrets,
    sandbox: null,
    mediaFolder: '',
    sharePort: false,
    development: false,
  });
  return startChild(programFile(root, part), environment);
}
