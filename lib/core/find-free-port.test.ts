import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findFreePort } from './find-free-port.ts';

const HIGHEST = 65_535;

test('a free port is none of those that outgoing connections are given, nor one on which somebody listens', async () => {
  const taken = await findFreePort();
  expect(taken).toBeLessThan(32_768);
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port: listenedOn } = server.address() as { port: number };
  const offers = [listenedOn, taken, HIGHEST];
  expect(await findFreePort(() => offers.shift() ?? 0)).toBe(HIGHEST);
  await new Promise((closed) => server.close(closed));
});

test.runIf(process.platform === 'linux')(
  'a port that one process has found is found by no other one',
  async () => {
    const found = await findFreePort();
    const source = `import { findFreePort } from '${new URL('./find-free-port.ts', import.meta.url).href}';
const offers = [${found}, ${found}, ${HIGHEST - 1}];
console.log(await findFreePort(() => offers.shift()));`;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source]);
    expect(Number(stdout)).toBe(HIGHEST - 1);
  },
);
