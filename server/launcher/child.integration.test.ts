import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-child-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a process whose launcher ends while it starts ends too', async () => {
  const program = join(folder, 'program.mjs');
  writeFileSync(
    program,
    `import { once } from 'node:events';
     import { onStop } from ${JSON.stringify(join(import.meta.dirname, 'child.ts'))};
     setInterval(() => undefined, 1000);
     await once(process, 'disconnect');
     onStop(async () => undefined);`,
  );
  const child = fork(program, { execArgv: [] });
  const exited = once(child, 'exit');
  await once(child, 'spawn');
  child.disconnect();
  expect(await exited).toEqual([0, null]);
});
