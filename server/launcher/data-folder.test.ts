// The launcher's files: secrets, the hash of a build's sources, the claim on a data folder.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimPort, claimPortOrAnother } from './ports.ts';
import { readOrCreateSecrets } from './secrets.ts';
import { claimInstance } from './single-instance.ts';
import { hashSources } from './sources.mjs';

let folder: string;
const lines: string[] = [];
const say = (line: string) => lines.push(line);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patchbay-launcher-'));
  lines.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('secrets are made once, with enough random bits, readable by their owner only', () => {
  const made = readOrCreateSecrets(folder, say);
  expect(Buffer.from(made.AUTH_SECRET, 'base64url')).toHaveLength(32);
  expect(made.ENCRYPTION_KEYS).toMatch(/^k1:/);
  expect(Buffer.from(made.ENCRYPTION_KEYS.slice(3), 'base64')).toHaveLength(32);
  expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(readOrCreateSecrets(folder, say)).toEqual(made);
  expect(lines).toHaveLength(1);
});

test('a damaged secrets file is an error and stays as it is: new keys would make stored tokens unreadable', () => {
  writeFileSync(join(folder, 'secrets.json'), '{"AUTH_SECRET":');
  expect(() => readOrCreateSecrets(folder, say)).toThrow(/restore it from a backup/);
  expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toBe('{"AUTH_SECRET":');
});

test('a build is stale after a change of content or name, not after a touch, a test or a change in what the other is made from', () => {
  mkdirSync(join(folder, 'app'));
  mkdirSync(join(folder, 'server'));
  writeFileSync(join(folder, 'app', 'page.tsx'), 'a');
  const before = hashSources(folder, 'pages');
  writeFileSync(join(folder, 'app', 'page.tsx'), 'a');
  writeFileSync(join(folder, 'app', 'page.test.tsx'), 'test');
  mkdirSync(join(folder, 'app', 'testing'));
  writeFileSync(join(folder, 'app', 'testing', 'help.ts'), 'test');
  writeFileSync(join(folder, 'server', 'web.ts'), 'x');
  expect(hashSources(folder, 'pages')).toBe(before);
  writeFileSync(join(folder, 'app', 'page.tsx'), 'b');
  const changed = hashSources(folder, 'pages');
  expect(changed).not.toBe(before);
  const programs = hashSources(folder, 'programs');
  writeFileSync(join(folder, 'server', 'web.ts'), 'y');
  expect(hashSources(folder, 'programs')).not.toBe(programs);
  writeFileSync(join(folder, 'app', 'layout.tsx'), '');
  expect(hashSources(folder, 'pages')).not.toBe(changed);
});

test('a taken port is an error that names the setting, or makes room for another', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, done));
  const { port } = server.address() as AddressInfo;
  const address = { hosts: ['127.0.0.1', '::1'], port };
  await expect(claimPort(address, 'PORT')).rejects.toThrow(
    `Port ${port} is used by another program. Choose another with PORT`,
  );
  expect(await claimPortOrAnother(address)).not.toBe(port);
  await new Promise((done) => server.close(done));
  expect(await claimPort(address, 'PORT')).toBe(port);
});

test('the claim of a process that is gone, or a damaged one, is taken over', async () => {
  writeFileSync(
    join(folder, 'running.json'),
    JSON.stringify({ pid: 2 ** 22 + 1, url: 'http://x', orphaned: false, children: [] }),
  );
  const first = await claimInstance(folder, 'http://localhost:1', say);
  expect(first).toHaveProperty('release');
  expect(JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8'))).toMatchObject({ pid: process.pid });
  writeFileSync(join(folder, 'running.json'), '{"pid":');
  expect(await claimInstance(folder, 'http://localhost:1', say)).toHaveProperty('release');
});

test('a state that cannot be written is said once, until it can be written again', async () => {
  const instance = await claimInstance(folder, 'http://localhost:1', say);
  if (!('update' in instance)) throw new Error('the folder is claimed');
  const inTheWay = join(folder, `running.json.${process.pid}`);
  mkdirSync(inTheWay);
  instance.update({ orphaned: true });
  instance.update({ orphaned: true });
  expect(lines).toEqual([expect.stringMatching(/running\.json.*: Patchbay continues/)]);
  rmSync(inTheWay, { recursive: true });
  instance.update({ orphaned: true });
  expect(JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8'))).toMatchObject({ orphaned: true });
  mkdirSync(inTheWay);
  instance.update({ orphaned: false });
  expect(lines).toHaveLength(2);
});
