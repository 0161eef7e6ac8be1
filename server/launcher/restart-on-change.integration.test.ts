// Development as `npm run dev` has it, with small programs in the place of web, worker and sandbox.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startProcessGroup, type ProcessGroup } from './process-group.ts';
import { restartOnChange } from './restart-on-change.ts';
import { readLaunchSettings } from './settings.ts';

const PROGRAMS = ['server/web', 'server/worker', 'sandbox/main'];
let root: string;
let group: ProcessGroup;
let end: () => void;
const lines: string[] = [];
const say = (line: string) => void lines.push(line);

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'patchbay-dev-'));
  for (const folder of ['lib', 'server', 'sandbox']) mkdirSync(join(root, folder));
  for (const name of PROGRAMS)
    writeFileSync(
      join(root, `${name}.ts`),
      `import { writeFileSync } from 'node:fs';
       process.send?.({ type: 'ready' }, () => writeFileSync('${pidFile(name)}', String(process.pid)));
       setInterval(() => {}, 1000);`,
    );
  lines.length = 0;
  const settings = { ...readLaunchSettings({ SANDBOX: 'on' }, root), development: true };
  const input = () => ({
    own: { PATH: process.env['PATH'] ?? '' },
    port: 1,
    baseUrl: 'http://localhost:1',
    databaseUrl: 'postgres://localhost/none',
    secrets: { AUTH_SECRET: 'a', ENCRYPTION_KEYS: 'b', SANDBOX_CLIENT_SECRET: 'c' },
    sandbox: { port: 2, publicUrl: 'http://localhost:2' },
    mediaFolder: root,
    sharePort: false,
    development: true,
  });
  group = startProcessGroup(settings, input, say, () => undefined);
  end = restartOnChange(root, group, say);
});
afterEach(async () => {
  end();
  await group.stop();
  rmSync(root, { recursive: true });
});

const pidFile = (name: string) => join(root, `${name.replace('/', '-')}.pid`);
const pids = () => PROGRAMS.map((name) => readFileSync(pidFile(name), 'utf8'));

test('what runs from its sources says when it is ready, and is restarted when they change', async () => {
  await group.ready;
  await vi.waitFor(pids, 5000);
  const [web, worker, sandbox] = pids();
  writeFileSync(join(root, 'lib/ids.ts'), '');
  await vi.waitFor(() => {
    expect(pids()[0]).not.toBe(web);
    expect(pids()[1]).not.toBe(worker);
  }, 20_000);
  expect(pids()[2]).toBe(sandbox);
  writeFileSync(join(root, 'sandbox/phones.ts'), '');
  await vi.waitFor(() => expect(pids()[2]).not.toBe(sandbox), 20_000);
  expect(lines).toEqual([
    'lib/ids.ts changed: restarting web and worker',
    'sandbox/phones.ts changed: restarting the sandbox',
  ]);
});
