// Patchbay as started by `npm start`, with its own data folder: its launcher, and all its processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRunning } from '../launcher/processes.ts';

const here = dirname(dirname(import.meta.dirname));

export interface Start {
  /** npm's child process, which starts and restarts the launcher. */
  bootstrap: ChildProcess;
  /** All output so far. */
  output: () => string;
  /** Settles when it has ended; its child processes may still run and print. */
  gone: Promise<void>;
  /** Settles with its exit code, once its child processes have ended, too. */
  exited: Promise<number | null>;
}

interface Running {
  /** The launcher. */
  pid: number;
  orphaned: boolean;
  children: { pid: number; program: string }[];
}

export class Installation {
  readonly folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #withNpm: boolean;
  readonly #root: string;

  /**
   * @param environment of every start; the data folder is added.
   * @param withNpm starts `npm start` instead of the program that it runs
   * @param root another clone
   */
  constructor(
    folder: string,
    environment: Record<string, string | undefined>,
    { withNpm = false, root = here }: { withNpm?: boolean; root?: string } = {},
  ) {
    this.folder = folder;
    this.#withNpm = withNpm;
    this.#root = root;
    this.#environment = { ...environment, NODE_ENV: 'production', PATCHBAY_DATA_DIR: folder };
  }

  start(more: Record<string, string> = {}): Start {
    const [program, ...words] = this.#withNpm
      ? ['npm', 'start']
      : [process.execPath, join(this.#root, 'server', 'bootstrap.mjs'), 'server/start.ts'];
    const bootstrap = spawn(program, words, {
      cwd: this.#withNpm ? this.#root : tmpdir(),
      env: { ...this.#environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [bootstrap.stdout, bootstrap.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return {
      bootstrap,
      output: () => output,
      gone: new Promise((done) => bootstrap.once('exit', () => done())),
      exited: new Promise((done) => bootstrap.once('close', (code) => done(code))),
    };
  }

  /** The launcher's state file. @throws Error where none has claimed the folder */
  readRunning(): Running {
    return JSON.parse(readFileSync(join(this.folder, 'running.json'), 'utf8')) as Running;
  }

  /** Pid of the embedded server's main process. @throws Error where it does not run */
  databasePid(): number {
    return Number(readFileSync(join(this.folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /** Pids of the processes of a program, by the name of its bundle. */
  pidsOf(program: string): number[] {
    return this.readRunning()
      .children.filter((each) => each.program.endsWith(program))
      .map(({ pid }) => pid);
  }

  /** All processes of the folder, according to its files. */
  runningPids(): number[] {
    const pids: [number, string][] = [];
    try {
      const running = this.readRunning();
      pids.push(
        [running.pid, 'start.mjs'],
        ...running.children.map(({ pid, program }): [number, string] => [pid, program]),
      );
    } catch {
      // No launcher has claimed the folder.
    }
    try {
      pids.push([this.databasePid(), 'postgres']);
    } catch {
      // No database runs.
    }
    return pids.filter(([pid, mention]) => isRunning(pid, mention)).map(([pid]) => pid);
  }
}
