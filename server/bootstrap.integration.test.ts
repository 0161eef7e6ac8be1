// The bootstrap in its own project, with an npm that records its calls.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BUILDS, folderFor, linkOf } from './launcher/sources.mjs';

let root: string;
let child: ChildProcess | null = null;
let output = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'patchbay-bootstrap-'));
  output = '';
  for (const folder of ['server/launcher', '.ci', 'npm']) mkdirSync(join(root, folder), { recursive: true });
  const files = ['sources.mjs', 'log-line.mjs', 'keep-launcher.sh'].map((file) => join('launcher', file));
  for (const file of ['bootstrap.mjs', ...files])
    copyFileSync(join(import.meta.dirname, file), join(root, 'server', file));
  writeJson('package.json', { dependencies: { node: '24.0.0' } });
  writeJson('package-lock.json', {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0', optional: true },
    },
  });
  write('npm/npm-cli.js', NPM);
});
afterEach(() => {
  child?.kill('SIGKILL');
  child = null;
  rmSync(root, { recursive: true, force: true });
});

/** `npm ci` creates node_modules; every call is recorded with the settings for development packages. */
const NPM = `const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync('calls', process.argv.slice(2).join(' ') + ' NODE_ENV=' + process.env.NODE_ENV + '\\n');
if (process.env.FAIL === process.argv[2]) { console.error('npm error code ' + process.env.REASON); process.exit(1); }
mkdirSync('node_modules', { recursive: true });
writeFileSync('node_modules/.package-lock.json', '{"packages":{"node_modules/a":{"version":"1.0.0"}}}');`;

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text);
}

function writeJson(path: string, value: unknown): void {
  write(path, JSON.stringify(value));
}

function installed(version: string): void {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeJson('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version } } });
}

function bootstrap(parameters: string[], environment: Record<string, string> = {}): ChildProcess {
  child = spawn(process.execPath, [join(root, 'server', 'bootstrap.mjs'), ...parameters], {
    cwd: tmpdir(),
    env: { ...process.env, npm_execpath: join(root, 'npm', 'npm-cli.js'), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  return child;
}

async function exitCode(process: ChildProcess): Promise<number | null> {
  const [code] = (await once(process, 'close')) as [number | null];
  return code;
}

const npmCalls = () =>
  existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [];

test('on a bare clone it installs, development packages included, and hands on arguments and exit code', async () => {
  write('.ci/test.ts', 'console.log(process.argv.slice(2).join("+")); process.exitCode = 5;');
  expect(await exitCode(bootstrap(['.ci/test.ts', 'pure', 'db'], { NODE_ENV: 'production' }))).toBe(5);
  expect(output).toContain('pure+db');
  expect(npmCalls()).toEqual([
    'ci --include=dev --include=optional --no-audit --no-fund --loglevel=error NODE_ENV=undefined',
  ]);
});

test('it installs again only when the lock file names something else than node_modules holds', async () => {
  write('.ci/test.ts', '');
  installed('1.0.0');
  expect(await exitCode(bootstrap(['.ci/test.ts']))).toBe(0);
  expect(npmCalls()).toEqual([]);
  installed('0.9.0');
  expect(await exitCode(bootstrap(['.ci/test.ts']))).toBe(0);
  expect(npmCalls()).toHaveLength(1);
});

test('users get no packages of tests; what needs them adds them to what is there', async () => {
  const packages = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/t': { version: '3.0.0', dev: true },
  };
  writeJson('package-lock.json', { packages: { '': {}, ...packages } });
  write('server/start.ts', '');
  write('.ci/test.ts', '');
  expect(await exitCode(bootstrap(['server/start.ts']))).toBe(0);
  expect(await exitCode(bootstrap([]))).toBe(0);
  expect(npmCalls()).toEqual([expect.stringMatching(/^ci --omit=dev /)]);
  // npm installs nothing here, so that the fallback is tested, too.
  expect(await exitCode(bootstrap(['.ci/test.ts']))).toBe(1);
  expect(npmCalls().at(1)).toMatch(/^install --no-save --include=dev /);
});

test('a failed install says what is needed and starts nothing', async () => {
  write('.ci/test.ts', 'console.log("started")');
  expect(await exitCode(bootstrap(['.ci/test.ts'], { FAIL: 'ci', REASON: 'ENOTFOUND' }))).toBe(1);
  expect(npmCalls()).toHaveLength(1);
  expect(output).toMatch(/could not be installed.*npm's registry/s);
  expect(output).not.toContain('started');
});

test('where npm ci wants a more complete lock file than there is, npm install takes its versions', async () => {
  write('.ci/test.ts', 'console.log("started")');
  expect(await exitCode(bootstrap(['.ci/test.ts'], { FAIL: 'ci', REASON: 'EUSAGE' }))).toBe(0);
  expect(npmCalls()[1]).toMatch(/^install --no-save --include=dev/);
  expect(output).toContain('started');
});

test('the Node that comes with the packages is used, and its folder leads PATH', async () => {
  installed('1.0.0');
  mkdirSync(join(root, 'node_modules', 'node', 'bin'), { recursive: true });
  const bundled = join(root, 'node_modules', 'node', 'bin', 'node');
  symlinkSync(process.execPath, bundled);
  write('.ci/test.ts', 'console.log(process.argv0, process.env.PATH)');
  await exitCode(bootstrap(['.ci/test.ts']));
  expect(output.trim().startsWith(`${bundled} ${join(root, 'node_modules', 'node', 'bin')}:`)).toBe(true);
});

test('a signal reaches the program, which may take its time, and its exit code comes back', async () => {
  installed('1.0.0');
  write(
    'server/start.ts',
    `process.on('SIGTERM', () => setTimeout(() => process.exit(3), 50));
    setInterval(() => {}, 1000); console.log('up');`,
  );
  const process = bootstrap(['server/start.ts']);
  await vi.waitFor(() => expect(output).toContain('up'));
  process.kill('SIGTERM');
  expect(await exitCode(process)).toBe(3);
});

test('the exit code of the launcher comes back', async () => {
  installed('1.0.0');
  write('server/start.ts', 'process.exit(7)');
  expect(await exitCode(bootstrap(['server/start.ts']))).toBe(7);
});

test('the launcher is started again after kill -9; the tests are not', async () => {
  installed('1.0.0');
  const once = `import { existsSync, writeFileSync } from 'node:fs';
    if (existsSync('second')) { console.log('again'); process.exit(0); }
    writeFileSync('second', ''); process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);`;
  write('server/start.ts', once);
  expect(await exitCode(bootstrap(['server/start.ts']))).toBe(0);
  expect(output).toContain('again');
  rmSync(join(root, 'second'));
  write('.ci/test.ts', once);
  expect(await exitCode(bootstrap(['.ci/test.ts']))).toBe(137);
});

/** Everything is built from the current sources. */
function build(): void {
  for (const name of Object.keys(BUILDS) as (keyof typeof BUILDS)[]) {
    mkdirSync(join(root, folderFor(root, name)));
    symlinkSync(folderFor(root, name), join(root, linkOf(name)));
  }
  write('.programs/start.mjs', 'console.log("bundle")');
  write('.programs/patchbay.mjs', 'console.log("bundle", process.argv[2])');
}

test('the launcher runs from its bundle while that is fresh, and from its sources after a change', async () => {
  installed('1.0.0');
  write('server/start.ts', 'console.log("sources")');
  build();
  expect(await exitCode(bootstrap(['server/start.ts']))).toBe(0);
  expect(output).toBe('bundle\n');
  write('server/start.ts', 'console.log("changed")');
  expect(await exitCode(bootstrap(['server/start.ts']))).toBe(0);
  expect(output).toBe('bundle\nchanged\n');
});

test('the launcher runs from its bundle while only the help is stale', async () => {
  installed('1.0.0');
  write('server/start.ts', 'console.log("sources")');
  build();
  write('README.md', 'changed');
  expect(await exitCode(bootstrap(['server/start.ts']))).toBe(0);
  expect(output).toBe('bundle\n');
});

test('the command line runs from its bundle while that is fresh, and from its sources after a change', async () => {
  installed('1.0.0');
  write('server/patchbay.ts', 'console.log("sources", process.argv[2])');
  build();
  expect(await exitCode(bootstrap(['server/patchbay.ts', 'doctor']))).toBe(0);
  expect(output).toBe('bundle doctor\n');
  write('server/patchbay.ts', 'console.log("changed", process.argv[2])');
  expect(await exitCode(bootstrap(['server/patchbay.ts', 'doctor']))).toBe(0);
  expect(output).toBe('bundle doctor\nchanged doctor\n');
});

test('a launcher that has built is followed by its bundle', async () => {
  installed('1.0.0');
  write(
    'server/start.ts',
    `import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
    import { BUILDS, folderFor, linkOf } from './launcher/sources.mjs';
    for (const name of Object.keys(BUILDS)) {
      mkdirSync(folderFor('.', name));
      symlinkSync(folderFor('.', name), linkOf(name));
    }
    writeFileSync('.programs/start.mjs', 'console.log("bundle")');
    console.log('built');
    process.exit(75);`,
  );
  expect(await exitCode(bootstrap(['server/start.ts']))).toBe(0);
  expect(output).toMatch(/built[\s\S]*bundle\n/);
});

test.runIf(process.platform === 'linux')('what keeps the launcher is a shell, not a Node', async () => {
  installed('1.0.0');
  write('server/start.ts', `console.log('up'); setInterval(() => {}, 1000);`);
  const kept = bootstrap(['server/start.ts']);
  await vi.waitFor(() => expect(output).toContain('up'));
  expect(readFileSync(`/proc/${kept.pid}/cmdline`, 'utf8')).toMatch(/^\/bin\/sh\0/);
  kept.kill('SIGTERM');
  await exitCode(kept);
});

test('in development the sources are run, after kill -9, too', async () => {
  installed('1.0.0');
  write('server/package.json', '{"type":"module"}');
  write(
    'server/start.ts',
    `import { existsSync, writeFileSync } from 'node:fs';
    console.log(process.argv.slice(2).map((each) => each.replaceAll(/[0-9,]+/g, 'N')).join(' '));
    if (existsSync('second')) process.exit(0);
    writeFileSync('second', ''); process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);`,
  );
  build();
  expect(await exitCode(bootstrap(['server/start.ts', '--dev'], { LOG_FORMAT: 'json' }))).toBe(0);
  const [first, ended, second] = output.trim().split('\n');
  expect([first, second]).toEqual(['--dev --starters=N', '--dev --starters=N']);
  expect(JSON.parse(ended ?? '')).toMatchObject({
    msg: "Patchbay's launcher was ended by SIGKILL: starting it again",
  });
});

test('without a program it only installs', async () => {
  expect(await exitCode(bootstrap([]))).toBe(0);
  expect(npmCalls()).toHaveLength(1);
});
