// The product's processes as in an installation: the launcher starts and restarts them, and a supervisor (systemd, a container)
// restarts the launcher.
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#lib/testing/random.ts';
import { findProcessesMentioning } from '#lib/testing/process-list.ts';
import { isRunning } from '../../server/launcher/processes.ts';
import { Installation, type Start } from '../../server/testing/installation.ts';

const RESTART_AFTER_MS = 200;
const POLL_MS = 10;
const PATIENCE_MS = 60_000;
/** Characters. */
const SHOWN_OUTPUT = 2000;
/**
 * Longer than what the product takes at most when its launcher has just been killed: 20 s until it is not restarted
 * (server/end-abandoned.ts), 10 s each for web and worker and for the sandbox, and the database.
 */
const END_PATIENCE_MS = 50_000;
const LAUNCHER = /start\.(mjs|ts)/;

export type Program = 'web.mjs' | 'worker.mjs';

export class Launched {
  readonly #installation: Installation;
  readonly #log: WriteStream;
  #start: Start;
  #ending: Promise<number> | undefined;

  private constructor(installation: Installation, log: WriteStream) {
    this.#installation = installation;
    this.#log = log;
    this.#start = this.#launch();
  }

  /** Starts the launcher. @param folder of the data; the output of processes goes into a file beside it */
  static launch(folder: string, settings: Record<string, string>): Launched {
    const { PATH = '', HOME = '' } = process.env;
    const log = createWriteStream(`${folder}.log`, { flags: 'a' });
    return new Launched(new Installation(folder, { PATH, HOME, ...settings }), log);
  }

  async untilReady(): Promise<void> {
    try {
      await waitFor('Patchbay is ready', () => this.#start.output().includes('Patchbay is ready'));
    } catch (error) {
      throw new Error(`It wrote: ${this.#start.output().slice(-SHOWN_OUTPUT)}`, { cause: error });
    }
  }

  #launch(): Start {
    const start = this.#installation.start();
    for (const stream of [start.bootstrap.stdout, start.bootstrap.stderr])
      stream?.pipe(this.#log, { end: false });
    void start.gone
      .then(() => sleep(RESTART_AFTER_MS))
      .then(() => {
        if (!this.#ending) this.#start = this.#launch();
      });
    return start;
  }

  /** Sends a signal to one of the running processes of a program, as soon as there is one. @returns its process id */
  async signal(program: Program, signal: NodeJS.Signals, random: Random): Promise<number> {
    const pid = random.pick(await this.#living(program));
    process.kill(pid, signal);
    return pid;
  }

  /** Like `signal`, for the process that has run longest, which has work. */
  async signalOldest(program: Program, signal: NodeJS.Signals): Promise<number> {
    const [pid = 0] = (await this.#living(program)).toSorted((a, b) => startedAt(a) - startedAt(b));
    process.kill(pid, signal);
    return pid;
  }

  /** Like `signal`, for all of them. */
  async signalAll(program: Program, signal: NodeJS.Signals): Promise<void> {
    for (const pid of await this.#living(program)) process.kill(pid, signal);
  }

  /** Those that run now. */
  pidsOf(program: Program): number[] {
    return this.#installation.pidsOf(program).filter((pid) => isRunning(pid, program));
  }

  #living(program: Program): Promise<number[]> {
    return waitFor(`${program} runs`, () => {
      const pids = this.pidsOf(program);
      return pids.length > 0 ? pids : undefined;
    });
  }

  /** Sends a signal to the launcher. @returns its process id */
  async signalLauncher(signal: NodeJS.Signals): Promise<number> {
    return waitFor('the launcher runs', () => {
      const { pid } = this.#installation.readRunning();
      if (!isRunning(pid, LAUNCHER)) return undefined;
      process.kill(pid, signal);
      return pid;
    });
  }

  /** Kills the main process of the launcher's own database, as soon as there is one. */
  async killDatabase(): Promise<void> {
    await waitFor('the database runs', () => {
      const pid = this.#installation.databasePid();
      if (!isRunning(pid, 'postgres')) return undefined;
      process.kill(pid, 'SIGKILL');
      return pid;
    });
  }

  /** Kills the supervisor of the launcher. */
  killStarter(): void {
    this.#start.bootstrap.kill('SIGKILL');
  }

  /**
   * Waits until `end` has ended the current launcher, another one has replaced it, and web and worker run.
   * @throws Error when a process of the earlier one still runs
   */
  async replaceLauncher(end: () => Promise<unknown>): Promise<void> {
    const before = await waitFor('the launcher runs', () => this.#installation.readRunning());
    await end();
    await waitFor('another launcher has started everything', () => {
      const now = this.#installation.readRunning();
      return (
        now.pid !== before.pid &&
        ['web.mjs', 'worker.mjs'].every((program) =>
          this.#installation.pidsOf(program).some((pid) => isRunning(pid, program)),
        )
      );
    });
    const orphans = before.children.filter(({ pid, program }) => isRunning(pid, program));
    if (orphans.length > 0) throw new Error(`The next launcher left ${JSON.stringify(orphans)} running.`);
  }

  /** @returns the number of processes that still ran some time after the request to stop, and were killed */
  end(): Promise<number> {
    return (this.#ending ??= this.#end());
  }

  async #end(): Promise<number> {
    const remaining = (): number[] => findProcessesMentioning(this.#installation.folder);
    const untilNoneRemains = async (): Promise<void> => {
      for (const deadline = Date.now() + END_PATIENCE_MS; Date.now() < deadline && remaining().length > 0;)
        await sleep(POLL_MS * 10);
    };
    // Some may be suspended.
    sendAll('SIGCONT', remaining());
    this.#start.bootstrap.kill('SIGTERM');
    await untilNoneRemains();
    const orphans = remaining();
    sendAll('SIGQUIT', orphans);
    if (orphans.length > 0) await untilNoneRemains();
    this.#log.end();
    return orphans.length;
  }

  /** Folder of the launcher's own database, if it has one. */
  get databaseDirectory(): string {
    return join(this.#installation.folder, 'postgres');
  }
}

/** Signals those that have not ended. */
export function sendAll(signal: NodeJS.Signals, pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}

/** In ticks since the machine started; ended ones are last. */
function startedAt(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return Infinity;
  }
}

/** Polls until the answer is neither false, undefined nor an error. */
async function waitFor<Result>(what: string, ask: () => Result | undefined): Promise<NonNullable<Result>> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    try {
      const found = ask();
      if (found !== undefined && found !== null && found !== false) return found;
    } catch {
      // Files are being written and processes end: the result is not available yet.
    }
  }
  throw new Error(`Waited ${PATIENCE_MS / 1000} s in vain until ${what}.`);
}
