// The short form of `npm run chaos`: every kind of fault once or not at all, as far as the time goes.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { playChaos } from './chaos/play.ts';

const SECONDS = 25;
const root = new URL('..', import.meta.url).pathname;

let folder: string;
beforeAll(async () => {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  folder = mkdtempSync(join(tmpdir(), 'patchbay-chaos-'));
  chmodSync(folder, 0o711);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('whatever goes wrong, nothing acknowledged is lost, doubled or stuck', async () => {
  const played = await playChaos(folder, SECONDS, 1);
  const { lost, doubled, stuck, contradicted } = played;
  expect({ lost, doubled, stuck, contradicted }).toEqual({ lost: 0, doubled: 0, stuck: 0, contradicted: 0 });
  expect(played.acknowledged).toBeGreaterThan(100);
  expect(played.succeeded).toBeGreaterThan(played.acknowledged / 2);
  expect(played.messages).toBeGreaterThan(5);
});
