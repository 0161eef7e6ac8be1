// Short runs of `npm run chaos`: as many kinds of fault as fit into the time, once each, and some kills.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findProcessesMentioning } from '#lib/testing/process-list.ts';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { aimed, everything, kills, type Plan } from './chaos/plans.ts';
import { playChaos } from './chaos/play.ts';
import { isProven } from './chaos/report.ts';
import { SABOTAGES } from './chaos/sabotages.ts';

const SECONDS = 15;
const root = new URL('..', import.meta.url).pathname;

let folder: string;
beforeEach(async () => {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  folder = mkdtempSync(join(tmpdir(), 'patchbay-chaos-'));
  chmodSync(folder, 0o711);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SOME_KILLS = {
  'worker killed': 1,
  'worker killed while it sends': 1,
  'web killed': 1,
  'database killed': 1,
  'connections terminated': 1,
  'launcher killed': 1,
};

test.each<[string, Plan]>([
  ['whatever goes wrong', everything(SECONDS)],
  ['whatever is killed', kills(SOME_KILLS)],
])('%s, nothing acknowledged is lost, doubled or stuck', async (_, plan) => {
  const played = await playChaos(folder, plan, { seed: 1 });
  const { lost, doubled, stuckRuns, foreign, contradictions, orphans } = played;
  expect({ lost, doubled, stuckRuns, foreign, contradictions, orphans }).toEqual({
    lost: 0,
    doubled: 0,
    stuckRuns: [],
    foreign: 0,
    contradictions: [],
    orphans: 0,
  });
  expect(played.acknowledged).toBeGreaterThan(100);
  expect(played.succeeded).toBeGreaterThan(played.acknowledged / 2);
  expect(played.messages).toBeGreaterThan(5);
  expect(played.written).toBeGreaterThan(5);
});

test('a planted defect is found', async () => {
  const played = await playChaos(folder, aimed, { seed: 1, sabotage: SABOTAGES.record });
  expect(played.doubled).toBeGreaterThan(0);
  expect(isProven(played)).toBe(false);
});

test('told to stop in the middle, it leaves no process, no disk and no file behind', async () => {
  const program = join(root, 'bench', 'chaos.ts');
  const chaos = spawn(process.execPath, [program, '--seconds', '600'], {
    env: { ...process.env, TMPDIR: folder },
    stdio: 'ignore',
  });
  const exited = new Promise((done) => chaos.once('exit', done));
  const isWorking = (): boolean => globSync(join(folder, '*', 'data', 'running.json')).length > 0;
  await vi.waitFor(() => expect(isWorking()).toBe(true), { timeout: 120_000, interval: 100 });
  expect(findProcessesMentioning(folder).length).toBeGreaterThan(1);
  chaos.kill('SIGTERM');
  expect(await exited).toBe(143);
  expect(findProcessesMentioning(folder)).toEqual([]);
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '';
  expect(mounts).not.toContain(folder);
  expect(globSync(join(folder, '*'))).toEqual([]);
});
