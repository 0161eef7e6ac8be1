// A web or worker process as under a service manager, on a machine that `startProduct` does not support: a network namespace.
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { type StartedProcess, untilReady } from '#lib/testing/start-process.ts';
import { programFile } from '../../server/launcher/settings.ts';
import type { Network } from './network.ts';

const root = new URL('../..', import.meta.url).pathname;

export class AppProcess {
  /** The name of its machine, which identifies it: `web-1`. */
  readonly name: string;
  readonly #network: Network;
  readonly #log: number;
  readonly #settings: Record<string, string>;
  #started: StartedProcess | undefined;
  /** Number of unexpected exits. */
  unexpectedEnds = 0;
  /** False from the request to stop until the next process is ready. */
  isReady = false;

  /** @param folder for its log */
  constructor(network: Network, folder: string, machine: string, settings: Record<string, string>) {
    this.name = machine;
    this.#network = network;
    this.#log = openSync(join(folder, 'logs', `${machine}.log`), 'a');
    this.#settings = settings;
  }

  /** Starts it and waits until it is ready. @throws Error when it exits before that */
  async start(): Promise<void> {
    const { PATH = '', HOME = '' } = process.env;
    const program = programFile(root, this.name.startsWith('web') ? 'web' : 'worker');
    const child = this.#network.start(this.name, [process.execPath, program], {
      user: null,
      env: { PATH, HOME, ...this.#settings },
      stdio: ['ignore', this.#log, this.#log, 'ipc'],
    });
    child.once('exit', () => {
      if (this.isReady) this.unexpectedEnds += 1;
      this.isReady = false;
    });
    this.#started = await untilReady(child, this.name);
    this.isReady = true;
  }

  /** Stops it and waits for its exit. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.isReady = false;
    await (signal === 'SIGTERM' ? this.#started?.stop() : this.#started?.kill());
  }
}
