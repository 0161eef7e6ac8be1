// The product as it runs: a web process and two workers, each of which is started again when it ends, beside PostgreSQL and
// the stand-in platform, both behind networks that can fail.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';
import { findFreePort } from '#lib/core/db/embedded-postgres/data-folder.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { type FaultProxy, startFaultProxy } from '#lib/testing/fault-proxy.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { startSandbox } from '../../sandbox/server.ts';

const API_KEY = 'a-key-of-the-rest-api-for-chaos-only';
const RESTART_AFTER_MS = 200;
const root = new URL('../..', import.meta.url).pathname;

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** A process that is started again whenever it ends. */
class Slot {
  readonly #file: string;
  readonly #settings: Record<string, string>;
  #current: StartedProcess | undefined;
  #isOver = false;
  /** Settings of the next start only. */
  nextSettings: Record<string, string> = {};

  constructor(file: string, settings: Record<string, string>) {
    this.#file = file;
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const settings = { ...this.#settings, ...this.nextSettings };
    this.nextSettings = {};
    const started = await startProcess(this.#file, settings).catch(() => undefined);
    if (this.#isOver) return void (await started?.stop());
    this.#current = started;
    const again = (): void =>
      void sleep(RESTART_AFTER_MS).then(() => (this.#isOver ? undefined : this.start()));
    // One that cannot start, because the database is away, is tried again.
    if (started) started.child.once('exit', again);
    else again();
  }

  kill(signal: NodeJS.Signals): void {
    this.#current?.child.kill(signal);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.kill('SIGCONT');
    await this.#current?.stop();
  }
}

export class Product {
  readonly base: string;
  readonly sandbox: Sandbox;
  readonly database: FaultProxy;
  readonly platform: FaultProxy;
  /** Past all faults, for those who watch. */
  readonly db: Database;
  readonly web: Slot;
  readonly workers: readonly Slot[];
  readonly #dataDirectory: string;
  #postgres: EmbeddedPostgres;

  private constructor(parts: {
    base: string;
    sandbox: Sandbox;
    database: FaultProxy;
    platform: FaultProxy;
    postgres: EmbeddedPostgres;
    dataDirectory: string;
    settings: Record<string, string>;
  }) {
    this.base = parts.base;
    this.sandbox = parts.sandbox;
    this.database = parts.database;
    this.platform = parts.platform;
    this.#postgres = parts.postgres;
    this.#dataDirectory = parts.dataDirectory;
    this.db = openDatabase(parts.postgres.url, { maxConnections: 2, name: 'chaos' });
    this.web = new Slot('server/web.ts', parts.settings);
    this.workers = [1, 2].map(() => new Slot('server/worker.ts', parts.settings));
  }

  /** Needs a build of the app. */
  static async start(folder: string): Promise<Product> {
    const dataDirectory = join(folder, 'postgres');
    const postgres = await startEmbeddedPostgres({ dataDirectory });
    await migrateDatabase(postgres.url, join(root, 'drizzle'));
    const port = await findFreePort();
    const base = `http://127.0.0.1:${port}`;
    const client = {
      id: 'app',
      secret: 'the-secret-of-the-app-and-of-its-signatures',
      redirectUris: [`${base}/oauth/callback`],
    };
    const sandbox = await startSandbox({ port: 0, client });
    const platform = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(sandbox.url).port) });
    const database = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(postgres.url).port) });
    const settings = {
      DATABASE_URL: database.through(postgres.url),
      PORT: String(port),
      BASE_URL: base,
      LOG_LEVEL: 'silent',
      PATCHBAY_API_KEY: API_KEY,
      AUTH_SECRET: 'sessions-of-chaos-are-signed-with-this-one',
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      MESSAGING_GRAPH_URL: platform.through(sandbox.url),
      MESSAGING_AUTHORIZE_URL: `${sandbox.url}/oauth/authorize`,
      MESSAGING_TOKEN_URL: `${sandbox.url}/oauth/token`,
      MESSAGING_CLIENT_ID: client.id,
      MESSAGING_CLIENT_SECRET: client.secret,
    };
    const product = new Product({ base, sandbox, database, platform, postgres, dataDirectory, settings });
    await Promise.all([product.web, ...product.workers].map((slot) => slot.start()));
    return product;
  }

  /** Calls the REST API, or the sandbox's control API. @throws Error with the answer when it is not 2xx */
  async call<Answer>(method: string, url: string, body?: unknown): Promise<Answer> {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(10_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }

  /** Kills the server's main process (`SIGKILL`), or stops it immediately (`SIGQUIT`) or fast (`SIGINT`); then starts it again. */
  async restartDatabase(signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT'): Promise<void> {
    process.kill(this.#postgres.pid, signal);
    await this.#postgres.gone;
    this.#postgres = await startEmbeddedPostgres({ dataDirectory: this.#dataDirectory });
  }

  async end(): Promise<void> {
    await Promise.all([this.web, ...this.workers].map((slot) => slot.end()));
    await this.sandbox.close();
    await Promise.all([this.platform.close(), this.database.close()]);
    await this.db.$client.end();
    await this.#postgres.stop();
  }
}
