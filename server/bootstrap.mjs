// `npm start` and `npm test` run this first, on any Node that can run npm (16 and up): it installs missing or outdated
// packages, finds the Node that is installed with Patchbay, and runs the given program with it. It only imports Node's own
// modules. The launcher and the command line are run from their bundles where these are fresh, and the launcher is kept running
// by a shell.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants as osConstants, homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { toPrinted } from './launcher/log-line.mjs';
import { COMMANDS, isFresh, LAUNCHER, NEEDED_TO_START } from './launcher/sources.mjs';

/** The launcher is mostly idle: it takes 40 MB with these options instead of 60 MB. */
const SMALL = '--lite-mode';
const SHELL = '/bin/sh';
/** Options: for the launcher, the pids of the processes that started it; for this program, how the launcher ended. */
const [STARTERS, ENDED] = ['--starters=', '--ended='];
/** Delay before a killed launcher is restarted. */
const RESTART_PAUSE_MS = { usual: 200, early: 2000 };
const EARLY_SECONDS = 10;

const WANTED_NODE_MAJOR = 24;
const INCOMPLETE_LOCK_FILE = 'EUSAGE';
/** Commands of users, which need no packages for tests and measurements. */
const USED = [LAUNCHER.sources, 'server/patchbay.ts'];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dataFolder = process.env.PATCHBAY_DATA_DIR || join(root, '.data');

// The terminal may be closed, or the disk of its output may be full: no reason to exit.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
if (process.platform === 'win32') fail('Patchbay runs on Linux and macOS; on Windows use WSL 2.');
const [program, ...programArguments] = process.argv.slice(2);
const needsTests = program !== undefined && (!USED.includes(program) || programArguments.includes('--dev'));
if (!isInstalled()) install();
const nodePath = findRuntime() ?? fetchRuntime() ?? fail(explainMissingRuntime());
// Without a program it only installs, so that `npm start` continues on the Node that comes with the packages.
await pauseAfterKill();
if (program) run(nodePath);

/** Whether node_modules matches package-lock.json; npm stores a list of installed packages in it. */
function isInstalled(withTests = needsTests) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const present = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!wanted)
    fail(`package-lock.json is missing in ${root} or cannot be read: restore it from the repository.`);
  if (!present) return false;
  return Object.entries(wanted).every(([path, { version, dev, devOptional, optional, peer }]) => {
    const mayLack = optional || peer || ((dev || devOptional) && !withTests);
    return path === '' || present[path]?.version === version || (mayLack && !present[path]);
  });
}

function install() {
  say(`Installing packages (once; about ${needsTests ? 'a minute' : 'half a minute'})`);
  // Independent of NODE_ENV and npm's omit setting. npm's warnings (about outdated indirect packages) are not actionable here.
  const options = [
    `--${needsTests ? 'include' : 'omit'}=dev`,
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  // Running programs are not disturbed where only packages for tests are missing.
  const isAddition = needsTests && isInstalled(false);
  const errors = runNpm(isAddition ? ['install', '--no-save', ...options] : ['ci', ...options]);
  if (isInstalled()) return;
  // A lock file written with a mirror that lacks other platforms' packages is incomplete, and `npm ci` requires a complete one.
  if (errors.includes(INCOMPLETE_LOCK_FILE)) {
    say('package-lock.json does not name every platform: installing what it names with npm install');
    runNpm(['install', '--no-save', ...options]);
    if (isInstalled()) return;
  }
  fail(
    'The packages could not be installed; npm says why above. Patchbay needs npm 8 or newer, about 1.5 GB of disk ' +
      "and, this once, access to npm's registry (or a mirror set with `npm config set registry`). " +
      'Run `npm ci` by hand to see more, then start again.',
  );
}

/** The bundled Node, an earlier repair, or the running Node, the first that exists and is new enough. */
function findRuntime() {
  const candidates = [
    join(root, 'node_modules', 'node', 'bin', 'node'),
    join(repairFolder(), 'node_modules', runtimePackage(), 'bin', 'node'),
    process.execPath,
  ];
  return candidates.find((path) => existsSync(path) && majorVersion(path) >= WANTED_NODE_MAJOR) ?? null;
}

/** The package `node` fetches its binary in an install script. Where those are blocked, it is downloaded as a package. */
function fetchRuntime() {
  say(
    `Node ${WANTED_NODE_MAJOR} was not installed with the packages (blocked install scripts?): fetching it`,
  );
  const version = readJson(join(root, 'package.json')).dependencies.node;
  mkdirSync(repairFolder(), { recursive: true });
  writeFileSync(join(repairFolder(), 'package.json'), '{"private":true}\n');
  const spec = `${runtimePackage()}@${version}`;
  runNpm(
    ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', repairFolder(), spec],
    repairFolder(),
  );
  return findRuntime();
}

function explainMissingRuntime() {
  return (
    `Patchbay runs on Node ${WANTED_NODE_MAJOR} or newer; this is ${process.version}, and the one it brings along could not ` +
    `be installed for ${process.platform} ${process.arch}. Either allow the install script of the package "node" ` +
    '(`npm config set ignore-scripts false`, then `npm rebuild node`), ' +
    `or install Node ${WANTED_NODE_MAJOR} (https://nodejs.org) and start again with it.`
  );
}

/**
 * Runs the program until it ends. The launcher is kept running by a shell, and this process becomes that shell where Node
 * supports it.
 */
function run(node) {
  const own = [dirname(node), join(root, 'node_modules', '.bin')];
  // The shell calls this program again, with this PATH.
  const others = (process.env.PATH ?? '').split(delimiter).filter((folder) => !own.includes(folder));
  const env = { ...process.env, PATH: [...own, ...others].join(delimiter) };
  if (program !== LAUNCHER.sources)
    return spawnForwarding(node, [join(root, findFile()), ...programArguments], env);
  const parameters = [join(root, 'server', 'launcher', 'keep-launcher.sh'), ...toKeep(node)];
  process.chdir(root);
  if (process.execve) process.execve(SHELL, [SHELL, ...parameters], env);
  spawnForwarding(SHELL, parameters, env);
}

/** Commands run from their bundle where it is up to date: starting from sources takes one or two seconds. */
function findFile() {
  return program === COMMANDS.sources && isFresh(root, 'programs') ? COMMANDS.bundle : program;
}

/** Parameters of keep-launcher.sh: the launcher's command, this program's command, and the arguments of both. */
function toKeep(node) {
  const [flag, file] = isBuilt() ? [SMALL, LAUNCHER.bundle] : ['', LAUNCHER.sources];
  // When they are killed, their child processes are not: the launcher checks whether they still exist.
  const starters = process.env.npm_lifecycle_event ? [process.pid, process.ppid] : [process.pid];
  const others = programArguments.filter((each) => ![STARTERS, ENDED].some((name) => each.startsWith(name)));
  const given = [...others, STARTERS + (readOption(STARTERS) ?? starters)];
  return [node, flag, join(root, file), fileURLToPath(import.meta.url), program, ...given];
}

function isBuilt() {
  return !programArguments.includes('--dev') && NEEDED_TO_START.every((name) => isFresh(root, name));
}

/** The launcher was killed: this is logged, and one that is killed repeatedly is restarted with a delay. */
async function pauseAfterKill() {
  const [status = 0, seconds = 0] = (readOption(ENDED) ?? '').split(',').map(Number);
  if (status <= 128) return;
  const [signal] = Object.entries(osConstants.signals).find(([, number]) => number === status - 128) ?? [];
  say(`Patchbay's launcher was ended by ${signal ?? `code ${status}`}: starting it again`);
  await wait(seconds < EARLY_SECONDS ? RESTART_PAUSE_MS.early : RESTART_PAUSE_MS.usual);
}

function readOption(name) {
  return programArguments.find((each) => each.startsWith(name))?.slice(name.length);
}

function spawnForwarding(command, parameters, env) {
  const child = spawn(command, parameters, { cwd: root, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${command} cannot be run: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + osConstants.signals[signal]));
}

function runNpm(parameters, cwd = root) {
  const npmScript = process.env.npm_execpath;
  const throughNode = npmScript !== undefined && /npm-cli\.c?js$/.test(npmScript);
  const [command, ...first] = throughNode ? [process.execPath, npmScript] : ['npm'];
  const result = spawnSync(command, [...first, ...parameters], {
    cwd,
    env: npmEnvironment(),
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  if (result.error)
    fail(`npm cannot be run (${result.error.message}): install Node with npm and start again.`);
  // An incomplete lock file is handled; npm would log a hundred lines about it.
  if (!result.stderr.includes(INCOMPLETE_LOCK_FILE)) process.stderr.write(result.stderr);
  return result.stderr;
}

/** npm's cache is in the home folder; without a writable one it is in the data folder. */
function npmEnvironment() {
  const environment = { ...process.env };
  delete environment.NODE_ENV;
  if (!environment.npm_config_cache && !isWritable(homedir())) {
    environment.npm_config_cache = join(dataFolder, 'npm-cache');
  }
  return environment;
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function repairFolder() {
  return join(dataFolder, 'runtime');
}

function runtimePackage() {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${process.platform}-${process.arch}`;
}

function majorVersion(path) {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? 0);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function say(line) {
  process.stdout.write(toPrinted('info', line));
}

function fail(message) {
  process.stderr.write(toPrinted('fatal', message));
  process.exit(1);
}
