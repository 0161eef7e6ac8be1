// The Caddyfile by Caddy itself, where it is installed (Debian's package caddy).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const caddyfile = readFileSync(join(import.meta.dirname, '..', '..', 'ops', 'caddy', 'Caddyfile'), 'utf8');
let folder: string;
const isInstalled = spawnSync('caddy', ['version']).status === 0;

/** Caddy's findings; empty when the file is valid and formatted. */
function check(text: string): string {
  const env = { ...process.env, PATCHBAY_HOST: 'patchbay.example.com' };
  const run = (...parameters: string[]) =>
    spawnSync('caddy', parameters, { input: text, encoding: 'utf8', env });
  const path = join(folder, 'Caddyfile');
  writeFileSync(path, text);
  const adapted = run('adapt', '--config', path, '--adapter', 'caddyfile');
  const formatted = run('fmt', '-');
  return `${adapted.status === 0 ? '' : adapted.stderr}${formatted.stdout === text ? '' : 'not formatted'}`;
}

describe.runIf(isInstalled)('the Caddyfile', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'patchbay-caddyfile-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is right', () => {
    expect(check(caddyfile)).toBe('');
  });

  test.each([
    ['an unknown directive', 'lb_policy least_conn', 'lb_policies least_conn'],
    ['a policy that is none', 'lb_policy least_conn', 'lb_policy fastest'],
    ['a wrong time', 'lb_try_duration 5s', 'lb_try_duration soon'],
  ])('%s is found', (_, from, to) => {
    expect(check(caddyfile.replace(from, to))).not.toBe('');
  });
});
