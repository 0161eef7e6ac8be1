// A web or worker process without a launcher, as a service manager has it.
import type { ChildProcess } from 'node:child_process';
import { untilReady } from '#lib/testing/start-process.ts';

export class AppProcess {
  /** By which it is known: `web-1`. */
  readonly name: string;
  readonly #start: () => ChildProcess;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isExpected = false;
  /** How often it ended without being told to. */
  unexpectedEnds = 0;
  /** False from when it is told to end until the next process says that it is ready. */
  isReady = false;

  /** @param start with a channel on which the process says that it is ready */
  constructor(name: string, start: () => ChildProcess) {
    this.name = name;
    this.#start = start;
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
    await untilReady(child, this.name);
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
