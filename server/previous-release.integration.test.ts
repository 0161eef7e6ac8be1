// Open work of earlier releases continues in this version: each folder of server/testing/fixtures/backups is a backup made by a
// release (`npm run upgrade -- --leave-backup <folder>`).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { readBackup } from '#lib/core/db/backup/read-backup.ts';
import { openDatabase } from '#lib/core/db/client.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { createEmptyDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { rotateStoredSecrets } from '#lib/workflows/secrets/rotate-stored-secrets.ts';
import type { LeftStates } from '../bench/upgrade/leave-backup.ts';
import { buildIfNeeded } from './launcher/build.ts';
import { root } from './root.ts';
import { type Calls, callsOf, settingsBeside } from './testing/beside-sandbox.ts';

const folder = join(import.meta.dirname, 'testing', 'fixtures', 'backups');
/** Nothing in the backups calls the platform. */
const NO_PLATFORM = { url: 'http://127.0.0.1:1' };

interface Run {
  status: string;
  tasks: { task_id: number; branch: string | null; output: Record<string, unknown> | null }[];
}

describe.each(readdirSync(folder))('of release %s', (version) => {
  const states = JSON.parse(readFileSync(join(folder, version, 'states.json'), 'utf8')) as LeftStates;
  let database: TestDatabase;
  let base: string;
  let calls: Calls;
  let settings: Record<string, string>;
  let processes: StartedProcess[] = [];

  beforeAll(async () => {
    await buildIfNeeded(root, () => undefined, new AbortController().signal);
    database = await createEmptyDatabase();
    await readBackup(database.url, join(folder, version, 'backup'), join(root, 'drizzle'), () => undefined);
    base = `http://127.0.0.1:${await findFreePort()}`;
    calls = callsOf(base, NO_PLATFORM);
    settings = settingsBeside(NO_PLATFORM, { base, databaseUrl: database.url });
    processes = [
      await startProcess('server/worker.ts', settings),
      await startProcess('server/web.ts', settings),
    ];
  });
  afterAll(async () => {
    await Promise.all(processes.map((started) => started.stop()));
    await database.drop();
  });

  const getRun = (id: string): Promise<Run> => calls.api('GET', `/runs/${id}`);
  const statusOf = async (id: string): Promise<string> => (await getRun(id)).status;

  test.each(['queued', 'delayed', 'unanswered'] as const)('a run that is %s ends', async (state) => {
    await expect.poll(() => statusOf(states.runs[state])).toBe('succeeded');
  });

  test('a question whose time was over while nothing ran takes its exit for no answer', async () => {
    await expect.poll(() => statusOf(states.runs.unanswered)).toBe('succeeded');
    const { tasks } = await getRun(states.runs.unanswered);
    expect(tasks.find(({ task_id }) => task_id === 2)?.branch).toBe('no_answer');
    expect(tasks.find(({ task_id }) => task_id === 3)?.output).toEqual({ answered: 'no' });
  });

  test('a link that was sent before decides for the run that waits for it', async () => {
    expect(await statusOf(states.runs.undecided)).toBe('waiting');
    const answer = await fetch(new URL(states.decisionPath, base), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"decision": "approve", "comment": "Fine"}',
    });
    expect(answer.status).toBe(200);
    await expect.poll(() => statusOf(states.runs.undecided)).toBe('succeeded');
    const { tasks } = await getRun(states.runs.undecided);
    expect(tasks.find(({ task_id }) => task_id === 4)?.output).toEqual({ comment: 'Fine' });
  });

  test('a webhook of before is answered, and everything that was sealed opens', async () => {
    const answer = await fetch(new URL(states.webhookPath, base), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"who": "Another guest"}',
    });
    expect(answer.status).toBe(200);
    const db = openDatabase(database.url, { maxConnections: 1 });
    try {
      const keys = `k2:${Buffer.alloc(32, 2).toString('base64')},${settings['ENCRYPTION_KEYS']}`;
      const rotated = await rotateStoredSecrets(db.$client, createSecretBox(keys));
      expect(rotated.filter((each) => each.rotated > 0).map(({ column }) => column)).toEqual(
        expect.arrayContaining([
          'webhook_tokens.token_encrypted',
          'connections.access_token_encrypted',
          'connections.refresh_token_encrypted',
          'setting_secrets.value_encrypted',
          'named_secrets.value_encrypted',
        ]),
      );
    } finally {
      await db.$client.end();
    }
  });
});
