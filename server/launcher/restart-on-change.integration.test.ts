// Development as with `npm run dev`, with small programs in place of web, worker and sandbox.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { type Door, openDoor } from './door.ts';
import { startProcessGroup, type ProcessGroup } from './process-group.ts';
import { restartOnChange } from './restart-on-change.ts';
import { readLaunchSettings } from './settings.ts';

/** Responds at once, or for /slow after the request to stop, or for /never not at all; then it ends. */
const WEB = `
  import { once } from 'node:events';
  import { createServer } from 'node:http';
  import { join } from 'node:path';
  const slow = [];
  const server = createServer((req, res) => {
    if (req.url !== '/') writeFileSync(join(import.meta.dirname, '..', req.url.slice(1)), 'asked');
    if (req.url === '/slow') slow.push(res);
    else if (req.url !== '/never') res.end(String(process.pid));
  });
  process.on('SIGTERM', () => {
    for (const res of slow) res.end(String(process.pid));
    server.close();
    server.closeIdleConnections();
    setTimeout(() => process.exit(), 200);
  });
  await once(server.listen(Number(process.env.PATCHBAY_INNER_PORT), '127.0.0.1'), 'listening');`;
const PROGRAMS = ['server/web', 'server/worker', 'sandbox/main'];
let root: string;
let group: ProcessGroup;
let door: Door;
let url: string;
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
       ${name === 'server/web' ? WEB : ''}
       process.send?.({ type: 'ready' }, () => writeFileSync('${pidFile(name)}', String(process.pid)));
       setInterval(() => {}, 1000);`,
    );
  lines.length = 0;
  const settings = { ...readLaunchSettings({ SANDBOX: 'on' }, root), development: true };
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  door = await openDoor({ hosts: ['127.0.0.1'], port });
  const input = () => ({
    own: { PATH: process.env['PATH'] ?? '' },
    port: 1,
    baseUrl: 'http://localhost:1',
    databaseUrl: 'postgres://localhost/none',
    secrets: { AUTH_SECRET: 'a', ENCRYPTION_KEYS: 'b', SANDBOX_CLIENT_SECRET: 'c' },
    sandbox: { port: 2, publicUrl: 'http://localhost:2' },
    mediaFolder: root,
    sharePort: false,
    innerPort: door.innerPort,
    development: true,
  });
  group = startProcessGroup(settings, input, say, () => undefined);
  end = restartOnChange(root, group, door, say);
});
afterEach(async () => {
  end();
  await group.stop();
  await door.close();
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

/** With a separate connection. @returns the process that answered; rejects where the connection breaks before */
async function ask(path = '/'): Promise<string> {
  const response = await fetch(url + path, { headers: { Connection: 'close' } });
  return response.text();
}

test('a restart refuses no request and leaves none without an end', async () => {
  await group.ready;
  const web = await ask();
  const [slow, never] = [ask('/slow'), ask('/never').catch(() => 'closed')];
  await vi.waitFor(() => ['slow', 'never'].map((name) => readFileSync(join(root, name))));
  const answers: Promise<string>[] = [];
  writeFileSync(join(root, 'lib/ids.ts'), '');
  await vi.waitFor(
    async () => {
      answers.push(ask(), ask());
      expect(await answers.at(-1)).not.toBe(web);
    },
    { interval: 5 },
  );
  // On a busy machine the first request may be sent after the restart.
  expect([web, await ask()]).toEqual(expect.arrayContaining([...new Set(await Promise.all(answers))]));
  expect(await slow).toBe(web);
  expect(await never).toBe('closed');
});

test('a connection waits for the successor of a web process that was killed', async () => {
  await group.ready;
  const web = Number(await ask());
  process.kill(web, 'SIGKILL');
  await vi.waitFor(() => expect(() => process.kill(web, 0)).toThrow('ESRCH'), { interval: 2 });
  expect(Number(await ask())).not.toBe(web);
});
