import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from './environments.ts';
import { LaunchError } from './launch-error.ts';
import { wrapLine } from './log-line.mjs';

/** Delays between restarts of processes that end before they listen, so that the cause can be fixed. Others restart immediately. */
const RESTART_PAUSE_MS = { first: 100, longest: 10_000 };
/** Number of exits before the first `ready` that count as a setup error. */
const FAILED_STARTS_LIMIT = 3;

export interface SupervisedProgram {
  /** For messages: `web`, `worker 2`. */
  name: string;
  /** Arguments for this Node: the program's file first. */
  nodeArguments: string[];
  /** Read at every start, so that a restart uses changed settings. */
  environment: () => Environment;
  /** Discards its standard output; errors are always shown. */
  quiet?: boolean;
}

export interface SupervisedProcess {
  readonly pid: number | null;
  /** Settles when it is ready; rejects with LaunchError when it repeatedly ends before that. */
  ready: Promise<void>;
  /** Ends the current process, gracefully and at the latest after `graceMs`; a new one is started immediately. */
  restart(graceMs: number): Promise<void>;
  /** Like restart, but without a new process. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Keeps one child process running. It reports its readiness over an IPC channel, and ends when that closes with this process.
 * @param changed called with each new pid
 */
export function supervise(
  program: SupervisedProgram,
  say: (line: string) => void,
  changed: () => void,
): SupervisedProcess {
  const ready = Promise.withResolvers<void>();
  // It may reject before anything awaits it.
  ready.promise.catch(() => undefined);
  const stopping = new AbortController();
  let child: ChildProcess | null = null;
  let asked = false;
  let endPause = (): void => undefined;

  async function keepRunning(): Promise<void> {
    let pauseMs = RESTART_PAUSE_MS.first;
    let failedStarts: number | null = 0;
    while (!stopping.signal.aborted) {
      let wasOfUse = false;
      child = start(program);
      child.on('message', (message) => {
        wasOfUse ||= says(message, 'listening', 'ready');
        if (!says(message, 'ready')) return;
        failedStarts = null;
        ready.resolve();
      });
      changed();
      const outcome = await untilEnded(child);
      child = null;
      if (stopping.signal.aborted) return;
      if (failedStarts !== null && ++failedStarts >= FAILED_STARTS_LIMIT) {
        ready.reject(
          new LaunchError(
            `Patchbay's ${program.name} process failed to start (${outcome}). See the messages above.`,
          ),
        );
        return;
      }
      if (!asked) say(`Patchbay's ${program.name} process ended (${outcome}): restarting it`);
      if (asked || wasOfUse) {
        pauseMs = RESTART_PAUSE_MS.first;
      } else {
        const pause = new AbortController();
        endPause = () => pause.abort();
        const signal = AbortSignal.any([stopping.signal, pause.signal]);
        await wait(pauseMs, undefined, { signal }).catch(() => undefined);
        pauseMs = Math.min(pauseMs * 2, RESTART_PAUSE_MS.longest);
      }
      asked = false;
    }
  }
  const running = keepRunning();

  return {
    get pid() {
      return child?.pid ?? null;
    },
    ready: ready.promise,
    async restart(graceMs) {
      asked = child !== null;
      endPause();
      await endChild(child, graceMs);
    },
    async stop(graceMs) {
      stopping.abort();
      await endChild(child, graceMs);
      await running;
    },
  };
}

/** `{type}`; the sandbox, which is independent of Patchbay, is ready when it reports its address: `{url}`. */
function says(message: unknown, ...wanted: string[]): boolean {
  const { type, url } = (message ?? {}) as { type?: unknown; url?: unknown };
  return wanted.includes(typeof url === 'string' ? 'ready' : String(type));
}

function start({ name, nodeArguments, environment, quiet = false }: SupervisedProgram): ChildProcess {
  const isJson = process.env['LOG_FORMAT'] === 'json';
  const child = spawn(process.execPath, nodeArguments, {
    env: environment() as NodeJS.ProcessEnv,
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', isJson ? 'pipe' : 'inherit', 'ipc'],
    // Ctrl-C only goes to the launcher, which stops the processes in order.
    detached: true,
  });
  // Node's own output on a crash is text, and so is the sandbox's.
  if (child.stderr)
    createInterface(child.stderr).on('line', (line) => void process.stderr.write(wrapLine(line, name)));
  return child;
}

async function untilEnded(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return signal ?? `exit code ${code}`;
  } catch (error) {
    return (error as Error).message;
  }
}

async function endChild(child: ChildProcess | null, graceMs: number): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = new AbortController();
  const forced = wait(graceMs, undefined, { signal: patience.signal }).then(
    () => child.kill('SIGKILL'),
    () => undefined,
  );
  await ended;
  patience.abort();
  await forced;
}
