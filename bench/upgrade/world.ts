// Two releases beside one database and one platform: two web processes that share a port, and two workers.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { programFile } from '../../server/launcher/settings.ts';
import { type Calls, callsOf, clientOf, settingsBeside } from '../../server/testing/beside-sandbox.ts';
import { AppProcess } from '../app-process.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { endWithUs, hasEnded } from '../end-with-us.ts';
import { nodeOf } from './previous.ts';

const run = promisify(execFile);
const PLACES = ['worker-1', 'worker-2', 'web-1', 'web-2'] as const;

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
type Environment = Record<string, string> & NodeJS.ProcessEnv;

export class World {
  readonly calls: Calls;
  readonly db: Database;
  /** How many processes ended without being told to. */
  unexpectedEnds = 0;
  readonly #folder: string;
  readonly #postgres: EmbeddedPostgres;
  readonly #sandbox: Sandbox;
  readonly #environment: Environment;
  readonly #running = new Map<string, AppProcess>();

  private constructor(
    folder: string,
    postgres: EmbeddedPostgres,
    sandbox: Sandbox,
    environment: Environment,
    calls: Calls,
  ) {
    this.#folder = folder;
    this.#postgres = postgres;
    this.#sandbox = sandbox;
    this.#environment = environment;
    this.calls = calls;
    this.db = openDatabase(postgres.url, { maxConnections: 3, name: 'upgrade' });
  }

  /** @param folder for data and logs */
  static async start(folder: string): Promise<World> {
    mkdirSync(join(folder, 'data'), { mode: 0o711 });
    const postgres = await startEmbeddedPostgres({
      dataDirectory: join(folder, 'postgres'),
      connections: 120,
    });
    endWithUs(postgres.pid, 'SIGINT');
    const base = `http://127.0.0.1:${await findFreePort()}`;
    const sandbox = await startSandbox({ port: 0, client: clientOf(base) });
    const { PATH = '', HOME = '' } = process.env;
    const environment: Environment = {
      PATH,
      HOME,
      ...settingsBeside(sandbox, { base, databaseUrl: postgres.url }),
      NODE_ENV: 'production',
      PATCHBAY_DATA_DIR: join(folder, 'data'),
      REUSE_PORT: 'on',
      LOG_LEVEL: 'warn',
    };
    return new World(folder, postgres, sandbox, environment, callsOf(base, sandbox));
  }

  /** `patchbay <command>` of a release. @throws Error with what it said when it fails */
  async patchbay(release: string, ...command: string[]): Promise<void> {
    const program = join(release, '.programs', 'patchbay.mjs');
    await run(nodeOf(release), [program, ...command], { env: this.#environment, cwd: release });
  }

  /** Starts all processes of a release. */
  async startAll(release: string): Promise<void> {
    await Promise.all(PLACES.map((place) => this.#start(place, release)));
  }

  /** Ends one process after another, each when the one before is replaced and ready. */
  async replaceAll(release: string): Promise<void> {
    for (const place of PLACES) {
      await this.#end(place);
      await this.#start(place, release);
    }
  }

  /** From then on nothing is executed but what web processes do themselves. */
  async endWorkers(): Promise<void> {
    for (const place of PLACES.filter((name) => name.startsWith('worker'))) await this.#end(place);
  }

  async end(): Promise<void> {
    await Promise.all(PLACES.map((place) => this.#end(place)));
    await this.#sandbox.close();
    await this.db.$client.end();
    await this.#postgres.stop();
    hasEnded(this.#postgres.pid);
  }

  async #start(place: string, release: string): Promise<void> {
    const log = openSync(join(this.#folder, `${place}.log`), 'a');
    const program = programFile(release, place.startsWith('web') ? 'web' : 'worker');
    const app = new AppProcess(place, () => {
      const child: ChildProcess = spawn(nodeOf(release), [program], {
        cwd: release,
        env: this.#environment,
        stdio: ['ignore', log, log, 'ipc'],
      });
      const { pid } = child;
      if (pid !== undefined) {
        endWithUs(pid, 'SIGTERM');
        child.once('exit', () => hasEnded(pid));
      }
      return child;
    });
    this.#running.set(place, app);
    await app.start();
  }

  async #end(place: string): Promise<void> {
    const app = this.#running.get(place);
    if (!app) return;
    await app.end('SIGTERM');
    this.unexpectedEnds += app.unexpectedEnds;
    this.#running.delete(place);
  }
}
