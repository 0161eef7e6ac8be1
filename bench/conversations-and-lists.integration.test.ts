// Short runs of `npm run chaos -- --plan conversations` and `--plan lists`: they run beside those of chaos.integration.test.ts.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { playConversations } from './chaos/conversations/play.ts';
import { playLists } from './chaos/lists/play.ts';
import { LIST_SABOTAGES } from './chaos/sabotages.ts';

const root = new URL('..', import.meta.url).pathname;

let folder: string;
beforeEach(async () => {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  folder = mkdtempSync(join(tmpdir(), 'patchbay-plays-'));
  chmodSync(folder, 0o711);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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

const LIST = { rows: 2000, perSecond: 200, quietSeconds: 2.5, pauseMs: 3000, seed: 1 };

test('each row of a list has one run and one message, whatever is killed', async () => {
  const played = await playLists(folder, LIST);
  const sound = { misjudged: 0, lost: 0, doubled: 0, stuckRuns: [], contradicted: 0 };
  expect(played.quiet).toMatchObject({ ...sound, states: { succeeded: 500, skipped: 2 }, messages: 500 });
  expect(played.killed).toMatchObject({ ...sound, states: { skipped: 8 } });
  expect(played.killed.messages).toBeGreaterThan(LIST.rows / 2);
  expect(Object.keys(played.kills).length).toBeGreaterThan(0);
  expect(played.orphans).toBe(0);
});

test('rows of a list that are recorded after their runs are found', async () => {
  const played = await playLists(folder, { ...LIST, quietSeconds: 0.5, sabotage: LIST_SABOTAGES.rows });
  expect(played.killed.doubled).toBeGreaterThan(0);
});
