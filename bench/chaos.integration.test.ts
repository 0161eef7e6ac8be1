// Short runs of `npm run chaos`: as many kinds of fault as fit into the time, once each, and some kills.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findProcessesMentioning } from '#lib/testing/process-list.ts';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { playConversations } from './chaos/conversations/play.ts';
import { playLists } from './chaos/lists/play.ts';
import { aimed, everything, kills, type Plan } from './chaos/plans.ts';
import { playChaos } from './chaos/play.ts';
import { isProven } from './chaos/report.ts';
import { LIST_SABOTAGES, SABOTAGES } from './chaos/sabotages.ts';

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

test('in conversations that are cut by kills every message comes once and every answer is used once', async () => {
  const played = await playConversations(folder, { count: 50, seed: 1, reminderAfterMs: 2000 });
  const { lost, doubled, stuckRuns, problems, orphans } = played;
  expect({ lost, doubled, stuckRuns, problems, orphans }).toEqual({
    lost: 0,
    doubled: 0,
    stuckRuns: [],
    problems: [],
    orphans: 0,
  });
  expect(played.acknowledged).toBe(50);
  expect(played.completed + played.flagged).toBeGreaterThanOrEqual(50);
  expect(played.completed).toBeGreaterThan(25);
  expect(played.reminders).toBeGreaterThan(0);
});

const LIST = { rows: 2000, perSecond: 100, quietSeconds: 5, pauseMs: 6000, seed: 1 };

test('each row of a list has one run and one message, whatever is killed', async () => {
  const played = await playLists(folder, LIST);
  const sound = { misjudged: 0, lost: 0, doubled: 0, stuckRuns: [], contradicted: 0 };
  expect(played.quiet).toMatchObject({ ...sound, states: { succeeded: 500, skipped: 2 }, messages: 500 });
  expect(played.killed).toMatchObject({ ...sound, states: { skipped: 8 } });
  expect(played.killed.messages).toBeGreaterThan(LIST.rows / 2);
  expect(Object.keys(played.kills).length).toBeGreaterThan(0);
});

test('rows of a list that are recorded after their runs are found', async () => {
  const played = await playLists(folder, { ...LIST, quietSeconds: 1, sabotage: LIST_SABOTAGES.rows });
  expect(played.killed.doubled).toBeGreaterThan(0);
});
