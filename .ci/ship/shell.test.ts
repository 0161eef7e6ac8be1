// Shell scripts by shellcheck, where it is installed (Debian's package shellcheck).
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const isInstalled = spawnSync('shellcheck', ['--version']).status === 0;
const scripts = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /(^|\/)[^./]+$|\.(ba)?sh$/.test(path))
  .filter((path) => /^#!.*\b(ba)?sh\b/.test(readFileSync(join(root, path), 'utf8')));

const check = (text: string): string =>
  spawnSync('shellcheck', ['-'], { input: text, encoding: 'utf8' }).stdout;

describe.runIf(isInstalled)('shell scripts', () => {
  test.each(scripts)('%s', (path) => {
    expect(check(readFileSync(join(root, path), 'utf8'))).toBe('');
  });

  test('a mistake is found', () => {
    expect(check('#!/bin/sh\nrm -rf $1/*\n')).toMatch(/SC2086|SC2115/);
  });
});
