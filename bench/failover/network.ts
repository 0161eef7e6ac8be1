// Network namespaces as machines, each with an address on one switch, that can be disconnected from it. Linux and root only.
// Their names begin with this process's id, so that those of a killed process are found and removed.
import { type ChildProcess, execFileSync, spawn, type StdioOptions } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PREFIX = 'patchbay';
/** A part of the range reserved for benchmarks (RFC 2544). */
const SUBNET = '198.18.77';
/** The address of this process, outside the machines. */
export const OWN_ADDRESS = `${SUBNET}.1`;
const FIRST_HOST = 11;
const HOSTS_FOLDER = '/etc/netns';

const ip = (...words: string[]): string =>
  execFileSync('ip', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

export interface Account {
  /** An account of the system; null: this process's own. */
  user: string | null;
  env: Record<string, string>;
  stdio: StdioOptions;
}

export class Network {
  readonly #machines: readonly string[];
  readonly #prefix = `${PREFIX}-${process.pid}-`;
  readonly #removeAtExit = (): void => remove(this.#prefix);

  /** Creates the machines and the switch between them. @throws Error without the permission */
  constructor(machines: readonly string[]) {
    removeLeftBehind();
    this.#machines = machines;
    process.once('exit', this.#removeAtExit);
    try {
      this.#connect();
    } catch (cause) {
      this.close();
      throw new Error(`Network namespaces could not be made; this needs Linux and root: ${String(cause)}`, {
        cause,
      });
    }
  }

  /** Address at which others reach a machine; the machines themselves use names. */
  address(machine: string): string {
    return `${SUBNET}.${FIRST_HOST + this.#machines.indexOf(machine)}`;
  }

  /** Starts a program on a machine; its process is the program's own. */
  start(machine: string, command: readonly string[], { user, env, stdio }: Account): ChildProcess {
    const account = user ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'] : [];
    return spawn('ip', ['netns', 'exec', this.#namespace(machine), ...account, ...command], {
      env: { NODE_ENV: 'production', ...env },
      stdio,
    });
  }

  /** Silently drops everything that the machine sends or is sent. */
  cutOff(machine: string): void {
    ip('-n', this.#namespace('switch'), 'link', 'set', portOf(machine), 'down');
  }

  heal(machine: string): void {
    ip('-n', this.#namespace('switch'), 'link', 'set', portOf(machine), 'up');
  }

  /** Kills (`kill -9`) all processes of the machine. */
  killAll(machine: string): Promise<void> {
    return killAllIn(this.#namespace(machine));
  }

  /** Kills remaining processes and removes all machines, as at the end of this process. */
  close(): void {
    process.off('exit', this.#removeAtExit);
    remove(this.#prefix);
  }

  #namespace(machine: string): string {
    return `${this.#prefix}${machine}`;
  }

  #connect(): void {
    const middle = this.#namespace('switch');
    ip('netns', 'add', middle);
    ip('-n', middle, 'link', 'add', 'bridge', 'type', 'bridge');
    ip('-n', middle, 'link', 'set', 'bridge', 'up');
    const plugIn = (port: string): void => {
      ip('-n', middle, 'link', 'set', port, 'master', 'bridge', 'up');
    };
    ip('link', 'add', ownLink(process.pid), 'type', 'veth', 'peer', 'name', 'outside', 'netns', middle);
    plugIn('outside');
    ip('address', 'add', `${OWN_ADDRESS}/24`, 'dev', ownLink(process.pid));
    ip('link', 'set', ownLink(process.pid), 'up');
    const hosts = [
      '127.0.0.1 localhost',
      ...this.#machines.map((name) => `${this.address(name)} ${name}`),
      '',
    ].join('\n');
    for (const machine of this.#machines) {
      const namespace = this.#namespace(machine);
      const port = portOf(machine);
      ip('netns', 'add', namespace);
      mkdirSync(join(HOSTS_FOLDER, namespace), { recursive: true });
      writeFileSync(join(HOSTS_FOLDER, namespace, 'hosts'), hosts);
      ip('link', 'add', 'eth0', 'netns', namespace, 'type', 'veth', 'peer', 'name', port, 'netns', middle);
      plugIn(port);
      ip('-n', namespace, 'address', 'add', `${this.address(machine)}/24`, 'dev', 'eth0');
      for (const link of ['lo', 'eth0']) ip('-n', namespace, 'link', 'set', link, 'up');
    }
  }
}

/** The names of links are short: `ifr_name` has 15 characters. */
const portOf = (machine: string): string => `to-${machine}`.slice(0, 15);
const ownLink = (pid: number): string => `${PREFIX}${pid}`;

const namespaces = (): string[] =>
  ip('netns', 'list')
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => name.startsWith(`${PREFIX}-`));

const pidsIn = (namespace: string): number[] =>
  ip('netns', 'pids', namespace).split('\n').filter(Boolean).map(Number);

function killAllNow(namespace: string): number {
  const pids = pidsIn(namespace);
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended in between.
    }
  }
  return pids.length;
}

async function killAllIn(namespace: string): Promise<void> {
  while (killAllNow(namespace) > 0) await sleep(5);
}

function remove(prefix: string): void {
  for (const name of namespaces().filter((namespace) => namespace.startsWith(prefix))) {
    while (killAllNow(name) > 0);
    ip('netns', 'delete', name);
    rmSync(join(HOSTS_FOLDER, name), { recursive: true, force: true });
  }
}

function removeLeftBehind(): void {
  const pids = new Set(namespaces().map((name) => Number(name.split('-')[1])));
  for (const pid of pids) if (!existsSync(`/proc/${pid}`)) remove(`${PREFIX}-${pid}-`);
}
