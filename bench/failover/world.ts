// The product on four machines beside a database that fails over, and the platform.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.ts';
import { type Calls, callsOf, clientOf, settingsBeside } from '../../server/testing/beside-sandbox.ts';
import { untilItWorks } from '../chaos/until-it-works.ts';
import { AppProcess } from './app-process.ts';
import { Cluster, CLUSTER_MACHINES } from './cluster.ts';
import { Network, OWN_ADDRESS } from './network.ts';

const WEB_PORT = 3000;
const SANDBOX_PORT = 4010;
const APP_MACHINES = ['web-1', 'web-2', 'worker-1', 'worker-2'];
const root = new URL('../..', import.meta.url).pathname;

export class World {
  readonly network: Network;
  readonly cluster: Cluster;
  readonly sandbox: RunningSandbox;
  /** URL for callers: the load balancer in front of the web processes. */
  readonly base: string;
  readonly apps: readonly AppProcess[];
  /** The database's current primary, for checks. */
  readonly db: Database;
  readonly calls: Calls;

  private constructor(
    network: Network,
    cluster: Cluster,
    sandbox: RunningSandbox,
    apps: readonly AppProcess[],
  ) {
    this.network = network;
    this.cluster = cluster;
    this.sandbox = sandbox;
    this.apps = apps;
    this.base = baseOf(network);
    this.calls = callsOf(this.base, sandbox);
    this.db = openDatabase(cluster.outsideUrl, { maxConnections: 2, name: 'failover' });
  }

  /**
   * Needs a build of the app.
   * @param folder for data and logs
   * @param isPooled whether PgBouncer is between the product and the database
   */
  static async start(folder: string, isPooled: boolean): Promise<World> {
    mkdirSync(join(folder, 'logs'));
    const network = new Network([...CLUSTER_MACHINES, ...APP_MACHINES]);
    try {
      const cluster = await Cluster.start(network, folder);
      await migrateDatabase(cluster.outsideUrl, join(root, 'drizzle'));
      const sandbox = await startSandbox({
        host: OWN_ADDRESS,
        port: SANDBOX_PORT,
        publicUrl: `http://${OWN_ADDRESS}:${SANDBOX_PORT}`,
        client: clientOf(baseOf(network)),
      });
      const settings = {
        ...settingsBeside(sandbox, { base: baseOf(network), databaseUrl: cluster.url(isPooled) }),
        HOST: '0.0.0.0',
        PORT: String(WEB_PORT),
        TRUST_PROXY: 'on',
        LOG_LEVEL: 'warn',
      };
      const apps = APP_MACHINES.map((machine) => new AppProcess(network, folder, machine, settings));
      await Promise.all(apps.map((app) => app.start()));
      // The load balancer checks the health of the web processes once a second.
      await untilItWorks(() => callsOf(baseOf(network), sandbox).api('GET', '/connections'));
      return new World(network, cluster, sandbox, apps);
    } catch (error) {
      network.close();
      throw error;
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.apps.map((app) => app.end('SIGTERM')));
    await this.sandbox.close();
    await this.db.$client.end();
    this.network.close();
  }
}

/** The load balancer listens on port 80. */
const baseOf = (network: Network): string => `http://${network.address('balancer')}`;
