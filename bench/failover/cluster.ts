// PostgreSQL on two machines under Patroni, with etcd, HAProxy and PgBouncer: the configuration of ops/ha on machines of ours.
import { chownSync, copyFileSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { type ChildProcess, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#lib/core/db/client.ts';
import type { Network } from './network.ts';

const CONFIGURATION = new URL('../../ops/ha', import.meta.url).pathname;
const ETCD = ['etcd-1', 'etcd-2', 'etcd-3'];
const POSTGRES = ['postgres-1', 'postgres-2'];
/** The machines of the cluster. */
export const CLUSTER_MACHINES = [...ETCD, ...POSTGRES, 'balancer', 'pooler'];
/** Processes without another account run under the database's. */
const ACCOUNT = 'postgres';
/** These servers are not reachable for others, and are removed afterwards. */
const PASSWORD = 'of-a-database-that-is-thrown-away';
const PATIENCE_MS = 90_000;
const CALL_TIMEOUT_MS = 2000;

interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
  lag?: number | string;
}

export class Cluster {
  readonly #network: Network;
  readonly #folder: string;
  readonly #patroni = new Map<string, ChildProcess>();

  private constructor(network: Network, folder: string) {
    this.#network = network;
    this.#folder = folder;
  }

  /** Starts everything and creates the product's empty database. @param folder for data and logs */
  static async start(network: Network, folder: string): Promise<Cluster> {
    const cluster = new Cluster(network, folder);
    mkdirSync(join(folder, 'configuration'), { mode: 0o755 });
    for (const name of ['patroni.yml', 'haproxy.cfg', 'pgbouncer.ini'])
      copyFileSync(join(CONFIGURATION, name), join(folder, 'configuration', name));
    for (const name of ETCD) cluster.#startEtcd(name);
    for (const name of POSTGRES) cluster.startPostgres(name);
    // It listens on a port below 1024, for which its service starts it as root.
    cluster.#start('balancer', ['haproxy', '-db', '-f', cluster.#configuration('haproxy.cfg')], {}, null);
    await cluster.untilReplicated();
    await cluster.#createDatabase();
    cluster.#startPooler();
    return cluster;
  }

  /** The product's DATABASE_URL. @param isPooled through PgBouncer, or straight to HAProxy */
  url(isPooled: boolean): string {
    return `postgres://patchbay:${PASSWORD}@${isPooled ? 'pooler:6432' : 'balancer:5432'}/patchbay`;
  }

  /** The same for this process, which is outside the machines. */
  get outsideUrl(): string {
    return this.#outside('patchbay', 'patchbay');
  }

  /** Starts Patroni, which starts PostgreSQL, like the machine's service manager. */
  startPostgres(name: string): void {
    const data = this.#ownFolder(name);
    const privately = ['sh', '-c', 'umask 077; exec "$@"', 'sh'];
    const command = [...privately, 'patroni', this.#configuration('patroni.yml')];
    const patroni = this.#start(name, command, {
      PATRONI_NAME: name,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${name}:8008`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${name}:5432`,
      PATRONI_POSTGRESQL_DATA_DIR: join(data, 'data'),
      PATRONI_POSTGRESQL_PGPASS: join(data, 'pgpass'),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
    });
    this.#patroni.set(name, patroni);
  }

  /** Kills only Patroni: its PostgreSQL keeps running in its role. */
  killPatroni(name: string): void {
    this.#patroni.get(name)?.kill('SIGKILL');
  }

  /** Asks Patroni to make the standby the primary, as for maintenance of the primary's machine. */
  async switchOver(primary: string): Promise<void> {
    const response = await fetch(`http://${this.#network.address(primary)}:8008/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: primary }),
    });
    if (!response.ok) throw new Error(`Patroni did not switch over: ${await response.text()}`);
  }

  /** The machine of the current primary, according to etcd; undefined while there is none. */
  async findPrimary(): Promise<string | undefined> {
    const members = await this.#members();
    return members.find(({ role, state }) => role === 'leader' && state === 'running')?.name;
  }

  /** Waits until there is a primary and a standby that has every commit. */
  async untilReplicated(): Promise<{ primary: string; standby: string }> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(250)) {
      const members = await this.#members();
      const primary = members.find(({ role }) => role === 'leader');
      const standby = members.find(({ role }) => role === 'sync_standby');
      if (primary?.state === 'running' && standby && ['running', 'streaming'].includes(standby.state))
        return { primary: primary.name, standby: standby.name };
    }
    throw new Error(
      `The databases do not replicate after ${PATIENCE_MS / 1000} s: ${JSON.stringify(await this.#members())}`,
    );
  }

  /** Queries whichever of the two machines responds. */
  async #members(): Promise<Member[]> {
    const answers = POSTGRES.map(async (name) => {
      const response = await fetch(`http://${this.#network.address(name)}:8008/cluster`, {
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      return ((await response.json()) as { members: Member[] }).members;
    });
    return Promise.any(answers).catch(() => []);
  }

  async #createDatabase(): Promise<void> {
    const db = openDatabase(this.#outside('postgres', 'postgres'), { maxConnections: 1, name: 'failover' });
    try {
      await db.$client.query(`create role patchbay login password '${PASSWORD}'`);
      await db.$client.query('create database patchbay owner patchbay');
      const { rows } = await db.$client.query<{ secret: string }>(
        `select rolpassword as secret from pg_authid where rolname = 'patchbay'`,
      );
      writeFileSync(
        join(this.#ownFolder('pooler'), 'userlist.txt'),
        `"patchbay" "${rows[0]?.secret ?? ''}"\n`,
      );
    } finally {
      await db.$client.end();
    }
  }

  #startEtcd(name: string): void {
    const shared = Object.fromEntries(
      readFileSync(join(CONFIGURATION, 'etcd.env'), 'utf8')
        .split('\n')
        .filter((line) => /^\w+=/.test(line))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ) as Record<string, string>;
    this.#start(name, ['etcd'], {
      ...shared,
      ETCD_NAME: name,
      ETCD_DATA_DIR: this.#ownFolder(name),
      ETCD_LISTEN_CLIENT_URLS: 'http://0.0.0.0:2379',
      ETCD_LISTEN_PEER_URLS: `http://${this.#network.address(name)}:2380`,
      ETCD_ADVERTISE_CLIENT_URLS: `http://${name}:2379`,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${name}:2380`,
      ETCD_LOG_LEVEL: 'warn',
    });
  }

  #startPooler(): void {
    const file = this.#configuration('pgbouncer.ini');
    const users = join(this.#ownFolder('pooler'), 'userlist.txt');
    writeFileSync(file, readFileSync(file, 'utf8').replace('/etc/pgbouncer/userlist.txt', users));
    this.#start('pooler', ['pgbouncer', file], {});
  }

  #start(
    machine: string,
    command: string[],
    env: Record<string, string>,
    user: string | null = ACCOUNT,
  ): ChildProcess {
    const log = openSync(join(this.#folder, 'logs', `${machine}.log`), 'a');
    const { PATH = '' } = process.env;
    return this.#network.start(machine, command, {
      user,
      env: { PATH: `${PATH}:/usr/sbin`, HOME: this.#folder, ...env },
      stdio: ['ignore', log, log],
    });
  }

  #configuration(name: string): string {
    return join(this.#folder, 'configuration', name);
  }

  #ownFolder(machine: string): string {
    const folder = join(this.#folder, machine);
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) {
      const [user, group] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, ACCOUNT])));
      chownSync(folder, user ?? 0, group ?? 0);
    }
    return folder;
  }

  #outside(user: string, database: string): string {
    return `postgres://${user}:${PASSWORD}@${this.#network.address('balancer')}:5432/${database}`;
  }
}
