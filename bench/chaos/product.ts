// The product as an operator runs it: a launcher with a web process and two workers, beside the stand-in platform. Either its
// database is the launcher's own, or one of ours that can be broken in more ways, behind a network that can fail.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { startEmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';
import { findFreePort } from '#lib/core/db/embedded-postgres/data-folder.ts';
import { BreakableDatabase } from '#lib/testing/breakable-database.ts';
import { type FaultProxy, startFaultProxy } from '#lib/testing/fault-proxy.ts';
import { mountSmallDisk, type SmallDisk } from '#lib/testing/small-disk.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { type Calls, callsOf, clientOf, settingsBeside } from '../../server/testing/beside-sandbox.ts';
import { Launched } from './launched.ts';

const DISK_MEGABYTES = 1500;

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** A database that the launcher does not know how to start. */
export interface OwnDatabase {
  server: BreakableDatabase;
  network: FaultProxy;
  /** What it lies on; left out where no small disk may be mounted. */
  disk: SmallDisk | undefined;
}

interface Parts {
  base: string;
  sandbox: Sandbox;
  platform: FaultProxy;
  launched: Launched;
  /** Past all faults, for those who watch. */
  db: Database;
  own: OwnDatabase | undefined;
  clockFile: string;
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

  /** Needs a build of the app. @param database whose it is: the launcher's, or ours */
  static async start(folder: string, database: 'launched' | 'own'): Promise<Product> {
    const base = `http://127.0.0.1:${await findFreePort()}`;
    const sandbox = await startSandbox({ port: 0, client: clientOf(base) });
    const platform = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(sandbox.url).port) });
    const own = database === 'own' ? await startOwnDatabase(folder) : undefined;
    const clockFile = join(folder, 'clock');
    const settings = {
      ...settingsBeside(sandbox, {
        base,
        databaseUrl: own ? own.network.through(own.server.url) : '',
        graphUrl: platform.through(sandbox.url),
      }),
      LOG_LEVEL: 'error',
      WORKER_PROCESSES: '2',
      ...(own
        ? {
            NODE_OPTIONS: `--import ${new URL('shift-clock.mjs', import.meta.url).href}`,
            CHAOS_CLOCK_FILE: clockFile,
          }
        : {}),
    };
    const data = join(folder, 'data');
    const launched = await Launched.start(data, settings);
    // The launcher's server keeps its port and password: this one takes over what runs already.
    const { url } =
      own?.server ?? (await startEmbeddedPostgres({ dataDirectory: launched.databaseDirectory }));
    const db = openDatabase(url, { maxConnections: 3, name: 'chaos' });
    return new Product({ base, sandbox, platform, launched, db, own, clockFile });
  }

  /** By how much the clock of a process is off from its next SIGUSR2 on. */
  setClock(offsetMs: number): void {
    writeFileSync(this.#parts.clockFile, String(offsetMs));
  }

  /** @returns how many of the product's processes it left behind */
  async end(): Promise<number> {
    const { launched, sandbox, platform, db, own } = this.#parts;
    await db.$client.end();
    const orphans = await launched.end();
    await sandbox.close();
    await platform.close();
    await own?.network.close();
    await own?.server.stop();
    own?.disk?.unmount();
    return orphans;
  }
}

async function startOwnDatabase(folder: string): Promise<OwnDatabase> {
  const path = join(folder, 'disk');
  mkdirSync(path, { mode: 0o711 });
  const mounted = mountSmallDisk(path, DISK_MEGABYTES);
  const server = await BreakableDatabase.start(join(path, 'postgres'));
  const network = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  return { server, network, disk: 'impossible' in mounted ? undefined : mounted };
}
