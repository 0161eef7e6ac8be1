// The product as in an installation: a launcher with a web process and two workers, and the sandbox, which `startProduct` does
// not start. Its database is either the launcher's, or one of ours that can be broken in more ways, behind a network that can
// fail.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { startEmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { BreakableDatabase } from '#lib/testing/breakable-database.ts';
import { type FaultProxy, startFaultProxy } from '#lib/testing/fault-proxy.ts';
import { mountSmallDisk, type SmallDisk } from '#lib/testing/small-disk.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.ts';
import { type Calls, callsOf, clientOf, settingsBeside } from '../../server/testing/beside-sandbox.ts';
import { Begun } from '../on-stop.ts';
import { Launched, sendAll } from './launched.ts';
import type { Sabotage } from './sabotages.ts';

const DISK_MEGABYTES = 1500;
const POOL_PATIENCE_MS = 2000;

/** A database that the launcher does not start. */
export interface OwnDatabase {
  server: BreakableDatabase;
  network: FaultProxy;
  /** Its disk; left out where no small disk can be mounted. */
  disk: SmallDisk | undefined;
}

interface Parts {
  base: string;
  sandbox: RunningSandbox;
  platform: FaultProxy;
  launched: Launched;
  /** Connected without the faults, for checks. */
  db: Database;
  own: OwnDatabase | undefined;
  clockFile: string;
  begun: Begun;
}

export interface ProductOptions {
  /** The launcher's, or ours. */
  database: 'launched' | 'own';
  /** An injected defect. */
  sabotage?: Sabotage | undefined;
  /** Of a platform that gets all messages; left out: the sandbox. */
  platformPort?: number;
  /** Of its processes. */
  settings?: Readonly<Record<string, string>>;
}

export class Product {
  readonly #parts: Parts;
  readonly calls: Calls;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.calls = callsOf(parts.base, parts.sandbox);
  }

  get launched(): Launched {
    return this.#parts.launched;
  }

  get platform(): FaultProxy {
    return this.#parts.platform;
  }

  get db(): Database {
    return this.#parts.db;
  }

  /** @throws Error where the launcher has its own database */
  get own(): OwnDatabase {
    if (!this.#parts.own) throw new Error('The launcher has its own database.');
    return this.#parts.own;
  }

  /** Needs a build of the app. Its processes are ended when this program is stopped. */
  static async start(folder: string, options: ProductOptions): Promise<Product> {
    const begun = new Begun();
    try {
      return new Product(await startParts(folder, options, begun));
    } catch (error) {
      await begun.end();
      throw error;
    }
  }

  /** Sets the clock offset that a process applies at its next SIGUSR2. */
  setClock(offsetMs: number): void {
    writeFileSync(this.#parts.clockFile, String(offsetMs));
  }

  /** @returns the number of the product's processes that were still running */
  async end(): Promise<number> {
    const { begun, launched } = this.#parts;
    await begun.end();
    return launched.end();
  }
}

async function startParts(
  folder: string,
  { database, sabotage, platformPort, settings: more }: ProductOptions,
  begun: Begun,
): Promise<Parts> {
  const own = database === 'own' ? await startOwnDatabase(folder, begun) : undefined;
  const base = `http://127.0.0.1:${await findFreePort()}`;
  const sandbox = await startSandbox({ port: 0, client: clientOf(base) });
  begun.add(() => sandbox.close());
  const port = platformPort ?? Number(new URL(sandbox.url).port);
  const platform = await startFaultProxy({ host: '127.0.0.1', port });
  begun.add(() => platform.close());
  const clockFile = join(folder, 'clock');
  const preloaded = [...(own ? ['shift-clock.mjs'] : []), ...(sabotage ? ['plant-sabotage.mjs'] : [])];
  const settings = {
    ...settingsBeside(sandbox, {
      base,
      databaseUrl: own ? own.network.through(own.server.url) : '',
      graphUrl: platform.through(sandbox.url),
    }),
    LOG_LEVEL: 'error',
    WORKER_PROCESSES: '2',
    NODE_OPTIONS: preloaded.map((file) => `--import ${new URL(file, import.meta.url).href}`).join(' '),
    ...(own ? { CHAOS_CLOCK_FILE: clockFile } : {}),
    ...(sabotage ? { CHAOS_SABOTAGE: JSON.stringify(sabotage) } : {}),
    ...more,
  };
  const launched = Launched.launch(join(folder, 'data'), settings);
  begun.add(() => launched.end());
  await launched.untilReady();
  // The launcher's server keeps its port and password: this one takes over the running server.
  const { url } = own?.server ?? (await startEmbeddedPostgres({ dataDirectory: launched.databaseDirectory }));
  const db = openDatabase(url, { maxConnections: 3, name: 'chaos' });
  // The server of a connection may be suspended, and resumes later.
  begun.add(() => Promise.race([db.$client.end(), sleep(POOL_PATIENCE_MS)]));
  return { base, sandbox, platform, launched, db, own, clockFile, begun };
}

async function startOwnDatabase(folder: string, begun: Begun): Promise<OwnDatabase> {
  const path = join(folder, 'disk');
  mkdirSync(path, { mode: 0o711 });
  const mounted = mountSmallDisk(path, DISK_MEGABYTES);
  const disk = 'impossible' in mounted ? undefined : mounted;
  begun.add(() => disk?.unmount());
  const server = await BreakableDatabase.start(join(path, 'postgres'));
  begun.add(() => stopBroken(server, disk));
  const network = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  begun.add(() => network.close());
  return { server, network, disk };
}

/** Works whatever its current fault is. */
async function stopBroken(server: BreakableDatabase, disk: SmallDisk | undefined): Promise<void> {
  disk?.makeRoom();
  sendAll('SIGCONT', [server.pid, ...server.backendPids()]);
  await server.stop();
}
