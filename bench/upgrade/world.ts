// Two releases on one database and one platform: two web processes that share a port, and two workers. They are started here,
// because each release has its own programs and Node version.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { type StartedProcess, untilReady } from '#lib/testing/start-process.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.ts';
import { programFile } from '../../server/launcher/settings.ts';
import { type Calls, callsOf, clientOf, settingsBeside } from '../../server/testing/beside-sandbox.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { type OwnDatabase, startOwnDatabase } from '../own-database.ts';
import { nodeOf } from './previous.ts';

const run = promisify(execFile);
const PLACES = ['worker-1', 'worker-2', 'web-1', 'web-2'] as const;

type Environment = Record<string, string> & NodeJS.ProcessEnv;

export class World {
  readonly calls: Calls;
  readonly db: Database;
  /** Number of unexpected exits. */
  unexpectedEnds = 0;
  readonly #folder: string;
  readonly #database: OwnDatabase;
  readonly #sandbox: RunningSandbox;
  readonly #environment: Environment;
  readonly #running = new Map<string, StartedProcess>();

  private constructor(
    folder: string,
    database: OwnDatabase,
    sandbox: RunningSandbox,
    environment: Environment,
    calls: Calls,
  ) {
    this.#folder = folder;
    this.#database = database;
    this.#sandbox = sandbox;
    this.#environment = environment;
    this.calls = calls;
    this.db = openDatabase(database.url, { maxConnections: 3, name: 'upgrade' });
  }

  /** @param folder for data and logs */
  static async start(folder: string): Promise<World> {
    mkdirSync(join(folder, 'data'), { mode: 0o711 });
    const database = await startOwnDatabase('upgrade', {
      isDurable: true,
      isMigrated: false,
      connections: 120,
    });
    const base = `http://127.0.0.1:${await findFreePort()}`;
    const sandbox = await startSandbox({ port: 0, client: clientOf(base) });
    const { PATH = '', HOME = '' } = process.env;
    const environment: Environment = {
      PATH,
      HOME,
      ...settingsBeside(sandbox, { base, databaseUrl: database.url }),
      NODE_ENV: 'production',
      PATCHBAY_DATA_DIR: join(folder, 'data'),
      REUSE_PORT: 'on',
      LOG_LEVEL: 'warn',
    };
    return new World(folder, database, sandbox, environment, callsOf(base, sandbox));
  }

  /** `patchbay <command>` of a release. @throws Error with its output when it fails */
  async patchbay(release: string, ...command: string[]): Promise<void> {
    const program = join(release, '.programs', 'patchbay.mjs');
    await run(nodeOf(release), [program, ...command], { env: this.#environment, cwd: release });
  }

  /** Starts all processes of a release. */
  async startAll(release: string): Promise<void> {
    await Promise.all(PLACES.map((place) => this.#start(place, release)));
  }

  /** Replaces one process after another, each when the previous one is ready. */
  async replaceAll(release: string): Promise<void> {
    for (const place of PLACES) {
      await this.#end(place);
      await this.#start(place, release);
    }
  }

  /** From then on only web processes execute anything. */
  async endWorkers(): Promise<void> {
    for (const place of PLACES.filter((name) => name.startsWith('worker'))) await this.#end(place);
  }

  async end(): Promise<void> {
    await Promise.all(PLACES.map((place) => this.#end(place)));
    await this.#sandbox.close();
    await this.db.$client.end();
    await this.#database.stop();
  }

  async #start(place: string, release: string): Promise<void> {
    const log = openSync(join(this.#folder, `${place}.log`), 'a');
    const program = programFile(release, place.startsWith('web') ? 'web' : 'worker');
    const child = spawn(nodeOf(release), [program], {
      cwd: release,
      env: this.#environment,
      stdio: ['ignore', log, log, 'ipc'],
    });
    this.#running.set(place, await untilReady(child, place));
  }

  async #end(place: string): Promise<void> {
    const started = this.#running.get(place);
    if (!started) return;
    if (!started.isAlive()) this.unexpectedEnds += 1;
    await started.stop();
    this.#running.delete(place);
  }
}
