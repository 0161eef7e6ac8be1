// The product's web and worker processes without a launcher, beside a separate sandbox, for tests and measurements. With the
// launcher and its database: installation.ts.
import { findFreePort } from '#lib/core/find-free-port.ts';
import { type StartedProcess, startProcess, type StartOptions } from '#lib/testing/start-process.ts';
import type { SandboxOptions } from '../../sandbox/options.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.ts';
import { buildIfNeeded } from '../launcher/build.ts';
import { root } from '../root.ts';
import { type Calls, callsOf, clientOf, settingsBeside } from './beside-sandbox.ts';

export type Part = 'web' | 'worker';
type Settings = Record<string, string>;

export interface ProductOptions extends StartOptions {
  /** A migrated database. It is kept when the product stops. */
  databaseUrl: string;
  /** Processes to start; left out: a worker and a web process. */
  parts?: readonly Part[];
  /** Settings of all processes, which override those for the sandbox. */
  settings?: Settings;
  /** False: no sandbox, and no settings of a platform. */
  sandbox?: SandboxOptions | false;
  /** Receives the output of the build. */
  say?: (line: string) => void;
}

export interface StartedPart extends StartedProcess {
  /** The URL of a web process. */
  base: string;
}

export interface Product extends Calls {
  /** The URL of the first web process. */
  base: string;
  /** Settings of the first processes. */
  settings: Readonly<Settings>;
  /** @throws Error where the product has none */
  sandbox: RunningSandbox;
  /** Starts a further process. A web process listens at `base` if no other one does, else on its own port. */
  start(part: Part, more?: Settings): Promise<StartedPart>;
  /** Whether every process that was started, and not stopped since, still runs. */
  isAlive: () => boolean;
  /** Stops all processes, then the sandbox. */
  stop: () => Promise<void>;
}

let built: Promise<void> | undefined;

/** Builds the programs, once in this process. */
const ensureBuilt = (say: ProductOptions['say'] = () => undefined): Promise<void> =>
  (built ??= buildIfNeeded(root, say, new AbortController().signal));

/** Starts them in parallel; after a failure none keeps running. */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const { databaseUrl, parts = ['worker', 'web'], settings: own = {}, onOutput } = options;
  await ensureBuilt(options.say);
  const port = own['PORT'] ?? String(await findFreePort());
  const base = addressAt(port);
  const sandbox =
    options.sandbox === false
      ? null
      : await startSandbox({ port: 0, client: clientOf(own['BASE_URL'] ?? base), ...options.sandbox });
  const settings: Settings = { ...settingsBeside(sandbox, { base, databaseUrl }), ...own, PORT: port };
  const running = new Set<StartedPart>();
  let isPortTaken = false;

  async function start(part: Part, more: Settings = {}): Promise<StartedPart> {
    const isAtBase = part === 'web' && !isPortTaken && more['PORT'] === undefined;
    if (isAtBase) isPortTaken = true;
    const ownPort = isAtBase || part === 'worker' ? port : (more['PORT'] ?? String(await findFreePort()));
    const started = await startProcess(
      `server/${part}.ts`,
      { ...settings, ...more, PORT: ownPort },
      { onOutput },
    );
    const leave = (end: () => Promise<void>) => async (): Promise<void> => {
      await end();
      running.delete(each);
      if (isAtBase) isPortTaken = false;
    };
    const each: StartedPart = {
      ...started,
      base: addressAt(ownPort),
      stop: leave(started.stop),
      kill: leave(started.kill),
    };
    running.add(each);
    return each;
  }
  const stop = async (): Promise<void> => {
    await Promise.all([...running].map((each) => each.stop()));
    await sandbox?.close();
  };
  const starts = await Promise.allSettled(parts.map((part) => start(part)));
  const failed = starts.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    await stop();
    throw failed.reason;
  }
  return {
    ...callsOf(base, { url: sandbox?.url ?? '' }),
    base,
    settings,
    get sandbox() {
      if (!sandbox) throw new Error('This product has no sandbox.');
      return sandbox;
    },
    start,
    isAlive: () => [...running].every((each) => each.isAlive()),
    stop,
  };
}

const addressAt = (port: string): string => `http://127.0.0.1:${port}`;
