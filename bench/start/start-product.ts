// `npm start` as in an installation, with a separate data folder: npm's process and time are measured, too.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { API_KEY, callsOf } from '../../server/testing/beside-sandbox.ts';
import { Installation } from '../../server/testing/installation.ts';

const POLL_MS = 10;
const START_DEADLINE_MS = 600_000;

export interface RunningProduct {
  /** npm's own process. */
  pid: number;
  /** When npm was started. */
  startedAt: number;
  stop(): Promise<void>;
}

export interface NpmInstallation {
  folder: string;
  base: string;
  /** Settles when `npm start` is ready. */
  start(): Promise<RunningProduct>;
  remove(): void;
}

/** A separate data folder and ports. */
export async function makeInstallation(): Promise<NpmInstallation> {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-bench-start-'));
  // Started by root, the database runs under another account, which needs access.
  chmodSync(folder, 0o711);
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  const settings = {
    PATCHBAY_API_KEY: API_KEY,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATABASE_URL: '',
    BASE_URL: '',
  };
  const installation = new Installation(folder, { ...process.env, ...settings }, { withNpm: true });
  return {
    folder,
    base: `http://localhost:${port}`,
    async start() {
      const startedAt = performance.now();
      const { bootstrap, output, exited } = installation.start();
      while (!output().includes('Patchbay is ready')) {
        if (bootstrap.exitCode !== null || performance.now() - startedAt > START_DEADLINE_MS)
          throw new Error(`Patchbay did not start:\n${output()}`);
        await wait(POLL_MS);
      }
      const stop = async (): Promise<void> => {
        bootstrap.kill('SIGTERM');
        await exited;
      };
      return { pid: bootstrap.pid ?? 0, startedAt, stop };
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Publishes a workflow that responds immediately. @returns the URL of its webhook */
export async function publishWorkflow(base: string): Promise<string> {
  const { api } = callsOf(base, { url: '' });
  const { webhook } = await api<{ webhook: { production_url: string } }>('POST', '/workflows', {
    name: 'Start bench',
    publish: true,
    tasks: [{ id: 1, type: 'inbound_webhook', name: 'In', settings: { response_type: 'immediate' } }],
    edges: [],
  });
  return webhook.production_url;
}

/** The instant (of `performance.now`) at which the webhook was first answered with 2xx. */
export async function untilAnswered(url: string): Promise<number> {
  for (;;) {
    const status = await postOnce(url);
    if (status >= 200 && status < 300) return performance.now();
    await wait(POLL_MS);
  }
}

/** @returns the status; 0: the connection was refused or broke. */
export async function postOnce(url: string): Promise<number> {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: '{"n":1}' });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
