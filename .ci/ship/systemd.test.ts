// The units of systemd by its own `systemd-analyze verify`, where that is installed (Debian's package systemd).
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const units = readdirSync(join(root, 'ops', 'systemd'));
const isInstalled = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.runIf(isInstalled)('units of systemd', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'patchbay-units-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** systemd's findings about the unit, with Patchbay in this folder. */
  function verify(unit: string, change: (text: string) => string = (text) => text): string {
    const path = join(folder, unit.replace('@.', '@1.'));
    // A timer needs the service that it starts.
    if (unit.endsWith('.timer')) verify(unit.replace('.timer', '.service'));
    cpSync(join(root, 'ops', 'systemd', unit), path);
    const text = readFileSync(path, 'utf8').replaceAll('/opt/patchbay', root);
    writeFileSync(path, change(text));
    const { status, stderr, stdout } = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
      encoding: 'utf8',
      // Other units of this machine are not checked.
      env: {
        ...process.env,
        SYSTEMD_UNIT_PATH: `${folder}:/lib/systemd/system`,
        SYSTEMD_LOG_LEVEL: 'warning',
      },
    });
    const about = `${stdout}${stderr}`
      .split('\n')
      .filter((line) => line.includes(folder) || /patchbay/.test(line));
    return status === 0 && about.length === 0 ? '' : about.join('\n') || `status ${status}`;
  }

  test.each(units)('%s is right', (unit) => {
    expect(verify(unit)).toBe('');
  });

  test.each([
    ['a directive that does not exist', 'NoNewPrivileges=true', 'NoNewPrivilege=true', /NoNewPrivilege/],
    ['a value that is none', 'Restart=always', 'Restart=often', /restart specifier/],
    ['a program that is not there', '=/bin/sh ', '=/bin/shell ', /shell/],
    ['a wrong time', 'TimeoutStopSec=20', 'TimeoutStopSec=soon', /time value/],
  ])('%s is found', (_, from, to, message) => {
    expect(verify('patchbay-web@.service', (text) => text.replace(from, to))).toMatch(message);
  });

  test('a time at which no backup can start is found', () => {
    const never = verify('patchbay-backup.timer', (text) => text.replace('03:00:00', '33:00:00'));
    expect(never).toMatch(/calendar/i);
  });
});
