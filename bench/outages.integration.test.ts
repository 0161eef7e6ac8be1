// A short run of `npm run bench:outages`: a database that breaks under load, and a worker that is not restarted.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { OutageWorld } from './outages/world.ts';

const RESUMES_WITHIN_MS = 5000;
const DONE_WITHIN_MS = 10_000;
/** Readiness reports a stalled queue when its oldest job, and the workers' last one, are older than this. */
const STALLED_AFTER_SECONDS = 15;

let folder: string;
let world: OutageWorld;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'patchbay-outages-'));
  chmodSync(folder, 0o711);
  world = await OutageWorld.start(join(folder, 'postgres'));
  world.startLoad();
  await world.awaitRecovery();
});
afterEach(async () => {
  expect((await world.awaitRecovery()).resumedMs).toBeLessThan(RESUMES_WITHIN_MS);
  expect(world.isAlive).toBe(true);
});
afterAll(async () => {
  await world.end();
  rmSync(folder, { recursive: true, force: true });
});

test('connections that are terminated under load', () => world.terminateBackends(40));

test.each(['SIGKILL', 'SIGQUIT', 'SIGINT'] as const)('a restart of the database by %s', (signal) =>
  world.restartDatabase(signal),
);

test('a disk that is full for a while', async () => {
  await world.refuseWrites();
  await expect
    .poll(async () => {
      await world.age(STALLED_AFTER_SECONDS);
      return (await world.readiness()).status;
    })
    .toBe(503);
  await world.allowWrites();
});

test('afterwards, every run that was acknowledged has succeeded', async () => {
  await world.stopLoad();
  expect(await world.countStuck(DONE_WITHIN_MS)).toBe(0);
  world.startLoad();
  await expect.poll(() => world.readiness()).toMatchObject({ status: 200 });
});
