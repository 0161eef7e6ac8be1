// A web or worker process on its machine, as the launcher runs it.
import type { ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { programFile } from '../../server/launcher/settings.ts';
import type { Network } from './network.ts';

const root = new URL('../..', import.meta.url).pathname;

export class AppProcess {
  readonly machine: string;
  readonly #start: () => ChildProcess;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isExpected = false;
  /** How often it ended without being told to. */
  unexpectedEnds = 0;
  /** False from when it is told to end until the next process says that it is ready. */
  isReady = false;

  constructor(network: Network, folder: string, machine: string, settings: Record<string, string>) {
    this.machine = machine;
    const log = openSync(join(folder, 'logs', `${machine}.log`), 'a');
    const { PATH = '', HOME = '' } = process.env;
    const program = programFile(root, machine.startsWith('web') ? 'web' : 'worker');
    this.#start = () =>
      network.start(machine, [process.execPath, program], {
        user: null,
        env: { PATH, HOME, ...settings },
        stdio: ['ignore', log, log, 'ipc'],
      });
  }

  /** Starts it and waits until it is ready. @throws Error when it ends before */
  async start(): Promise<void> {
    const child = this.#start();
    this.#child = child;
    this.#isExpected = false;
    this.#ended = new Promise((resolve) =>
      child.once('exit', () => {
        this.isReady = false;
        if (!this.#isExpected) this.unexpectedEnds += 1;
        resolve();
      }),
    );
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`${this.machine} ended before it was ready.`)));
      child.on('message', (message) => {
        if ((message as { type?: string }).type === 'ready') resolve();
      });
    });
    this.isReady = true;
  }

  /** Ends it and waits until it has ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#isExpected = true;
    this.isReady = false;
    this.#child?.kill(signal);
    await this.#ended;
  }
}
