import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './root.ts';

/** The standard error of a process that ends with this code. */
function printed(code: string): { status: number | null; lines: Record<string, unknown>[] } {
  const script = `import './server/log-as-json.ts';\n${code}`;
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NODE_OPTIONS: '', NODE_ENV: 'production' },
  });
  expect(stdout).toBe('');
  return {
    status,
    lines: stderr
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

test('what libraries print, warnings of Node and the end of the process are lines of JSON', () => {
  const { status, lines } = printed(`
    console.error('of a library', { with: 'more\\nlines' });
    process.emitWarning('careful');
    setTimeout(() => { throw new Error('the end'); });`);
  expect(status).toBe(1);
  expect(lines).toEqual([
    expect.objectContaining({ level: 50, msg: "of a library { with: 'more\\nlines' }" }),
    expect.objectContaining({ level: 40, msg: 'Warning: careful' }),
    expect.objectContaining({
      level: 60,
      msg: 'the end',
      err: expect.objectContaining({ message: 'the end' }) as unknown,
    }),
  ]);
});

test('settings that cannot be used are one line, without a stack', () => {
  const { status, lines } = printed(
    `const { env } = await import('./lib/core/env.ts'); process.env.PORT = 'x'; env();`,
  );
  expect(status).toBe(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 60, msg: expect.stringContaining('PORT') as string });
  expect(lines[0]).not.toHaveProperty('err');
});
