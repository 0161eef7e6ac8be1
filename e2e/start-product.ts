// Starts the whole product as `npm start` does: launcher, database, sandbox, all in its own folder.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '../lib/core/find-free-port.ts';
import { createQuickFolder } from '../lib/testing/quick-folder.ts';

export interface Product {
  baseUrl: string;
  sandboxUrl: string;
  /** For the REST API of the first workspace. */
  apiKey: string;
  dataFolder: string;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** A build may be necessary first. */
const START_DEADLINE_MS = 6 * 60_000;
const root = dirname(import.meta.dirname);

/**
 * @param settings beside those that every product of the specs has
 * @throws Error with the product's output when it does not start
 */
export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  const dataFolder = createQuickFolder('e2e');
  const baseUrl = `http://localhost:${port}`;
  const apiKey = randomBytes(24).toString('hex');
  const child = spawn(process.execPath, ['server/bootstrap.mjs', 'server/start.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      BASE_URL: baseUrl,
      SANDBOX: 'on',
      SANDBOX_PORT: String(sandboxPort),
      PATCHBAY_DATA_DIR: dataFolder,
      PATCHBAY_API_KEY: apiKey,
      // The addresses at which specs receive requests of HTTP Request tasks.
      ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const hasEnded = once(child, 'exit');
  let said = '';
  const isReady = new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(`Not ready in time.\n${said}`)), START_DEADLINE_MS);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        said += `${line}\n`;
        if (!line.startsWith('Patchbay is ready')) return;
        clearTimeout(deadline);
        resolve();
      });
    }
    void hasEnded.then(() => {
      clearTimeout(deadline);
      reject(new Error(`It ended before it was ready.\n${said}`));
    });
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await hasEnded;
    rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await isReady;
  } catch (error) {
    await stop();
    throw error;
  }
  return { baseUrl, sandboxUrl: `http://127.0.0.1:${sandboxPort}`, apiKey, dataFolder, stop };
}
