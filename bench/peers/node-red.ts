// Node-RED without its editor, on loopback, with flows of the same steps as ours. It stores nothing.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { onStop } from '../on-stop.ts';
import type { Contestant, Flows } from '../webhooks/system.ts';
import { installPeer } from './install.ts';
import { toNodeRedFlow } from './node-red-flow.ts';
import { untilAnswering, untilIdle } from './wait.ts';

const LONGEST_START_MS = 60_000;
/** It did not start with 10,000 within two minutes. */
const MOST_COPIES = 1000;

/** @throws Error when it cannot be installed. */
export async function nodeRed(): Promise<Contestant> {
  const { version, folder } = await installPeer('node-red@5');
  const name = `Node-RED ${version}`;
  return {
    name,
    mostCopies: MOST_COPIES,
    start: async (flows) => {
      const data = mkdtempSync(join(tmpdir(), 'patchbay-bench-'));
      const port = await findFreePort();
      writeFileSync(join(data, 'flows.json'), JSON.stringify(toNodes(flows)));
      writeFileSync(join(data, 'settings.cjs'), `module.exports = ${JSON.stringify(settingsFor(port))};`);
      const child = spawn(
        process.execPath,
        [join(folder, 'red.js'), '--userDir', data, '--settings', join(data, 'settings.cjs'), 'flows.json'],
        {
          cwd: data,
          env: { ...process.env, NODE_ENV: 'production' },
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      );
      const pid = child.pid ?? 0;
      const forget = onStop(() => child.kill('SIGTERM'));
      const base = `http://127.0.0.1:${port}`;
      const stop = async (): Promise<void> => {
        await endProcess(child);
        forget();
        rmSync(data, { recursive: true, force: true });
      };
      const [first = ''] = Object.keys(flows);
      try {
        await untilAnswering(`${base}${pathsOf(flows, first)[0]}`, child, LONGEST_START_MS);
      } catch (error) {
        await stop();
        throw error;
      }
      return {
        name,
        parts: { 'Node-RED': { pid } },
        urlsOf: (flow) => pathsOf(flows, flow).map((path) => base + path),
        settle: () => untilIdle(pid),
        prepare: () => Promise.resolve(),
        stop,
      };
    },
  };
}

const pathsOf = (flows: Flows, name: string): string[] =>
  Array.from({ length: flows[name]?.copies ?? 1 }, (_, copy) => `/${name}/${copy}`);

const toNodes = (flows: Flows) =>
  Object.entries(flows).flatMap(([name, { graph }]) =>
    pathsOf(flows, name).flatMap((path) => toNodeRedFlow(graph, path)),
  );

const settingsFor = (uiPort: number) => ({
  uiHost: '127.0.0.1',
  uiPort,
  flowFile: 'flows.json',
  httpAdminRoot: false,
  credentialSecret: false,
  telemetry: { enabled: false, updateNotification: false },
  logging: { console: { level: 'error', metrics: false, audit: false } },
});

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), 5000);
  await ended;
  clearTimeout(patience);
}
