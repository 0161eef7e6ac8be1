// A web and a worker process on a separate database that is broken under load. They are never restarted: they have to recover
// automatically.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { BreakableDatabase, terminateBackends } from '#lib/testing/breakable-database.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { allowWrites, refuseWrites } from '#lib/testing/refuse-writes.ts';
import { type Product, startProduct } from '../../server/testing/product.ts';
import { FIVE_TASKS } from '../workflows.ts';

const POSTERS = 16;
const POLL_MS = 25;
const PATIENCE_MS = 60_000;
const BODY = readFileSync(new URL('../order.json', import.meta.url));

export interface Recovery {
  /** From the moment the database was back until a run finished. */
  resumedMs: number;
}

export class OutageWorld {
  readonly #database: BreakableDatabase;
  readonly #product: Product;
  readonly #path: string;
  readonly #acknowledged: string[] = [];
  readonly #db: Database;
  #refused = 0;
  #posting = false;
  #posters: Promise<void>[] = [];

  private constructor(database: BreakableDatabase, db: Database, product: Product, path: string) {
    this.#database = database;
    this.#db = db;
    this.#product = product;
    this.#path = path;
  }

  /** @param say gets the output of the build */
  static async start(dataDirectory: string, say?: (line: string) => void): Promise<OutageWorld> {
    const database = await BreakableDatabase.start(dataDirectory);
    const db = openDatabase(database.url, { maxConnections: 2, name: 'outages' });
    const { token } = await insertWorkflow(db.$client, FIVE_TASKS);
    const product = await startProduct({
      databaseUrl: database.url,
      // Only the worker executes runs: its database breaks.
      settings: { LOG_LEVEL: 'silent', FIRST_LEG: 'off' },
      sandbox: false,
      ...(say && { say }),
    });
    return new OutageWorld(database, db, product, `/webhook/${token}`);
  }

  /** Whether both processes are the ones that were started. */
  get isAlive(): boolean {
    return this.#product.isAlive();
  }

  /** Webhooks that were acknowledged so far. */
  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  /** Webhooks that were not acknowledged: refused, or without a response. */
  get refused(): number {
    return this.#refused;
  }

  /** Waits until the outage has an effect: this many more webhooks are refused. */
  async awaitRefusals(count: number): Promise<void> {
    const enough = this.#refused + count;
    await this.#waitFor(`${count} webhooks are refused`, async () => this.#refused >= enough);
  }

  startLoad(): void {
    this.#posting = true;
    const agent = new Agent({ keepAlive: true, maxSockets: POSTERS });
    this.#posters = Array.from({ length: POSTERS }, async () => {
      while (this.#posting) {
        const eventId = await this.#post(agent);
        if (eventId !== undefined) this.#acknowledged.push(eventId);
        else {
          this.#refused += 1;
          await sleep(POLL_MS);
        }
      }
    });
    void Promise.all(this.#posters).then(() => agent.destroy());
  }

  async stopLoad(): Promise<void> {
    this.#posting = false;
    await Promise.all(this.#posters);
  }

  /** Ends connections of the two processes one by one while they work. */
  terminateBackends(count: number): Promise<void> {
    return terminateBackends(this.#db.$client, count);
  }

  /** See BreakableDatabase. */
  restartDatabase(signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT'): Promise<void> {
    return this.#database.restart(signal);
  }

  /** Starts the server unless it runs. */
  startDatabase(): Promise<void> {
    return this.#database.startAgain();
  }

  /** Makes every write of a run or a job fail as on a full disk. */
  refuseWrites(): Promise<void> {
    return refuseWrites(this.#db.$client, WRITTEN);
  }

  allowWrites(): Promise<void> {
    return allowWrites(this.#db.$client, WRITTEN);
  }

  /** Ages due jobs, and the last job of a worker; also works while writes are refused. */
  async age(seconds: number): Promise<void> {
    await this.#db.$client.query(
      `set local session_replication_role = replica;
       update graphile_worker._private_jobs set run_at = run_at - interval '${seconds} seconds' where run_at < now();
       update processes set last_job_at = last_job_at - interval '${seconds} seconds'`,
    );
  }

  /** Call it when the database is back: waits for a run that finishes after this moment. */
  async awaitRecovery(): Promise<Recovery> {
    const backAt = new Date();
    await this.#waitFor('a run finishes', async () => {
      const { rows } = await this.#db.$client.query('select 1 from runs where finished_at > $1 limit 1', [
        backAt,
      ]);
      return rows.length > 0;
    });
    return { resumedMs: Date.now() - backAt.getTime() };
  }

  /** Acknowledged webhooks whose run has not succeeded within this time. */
  async countStuck(withinMs: number): Promise<number> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const { rows } = await this.#db.$client.query<{ stuck: number }>(
        `select count(*)::int as stuck from unnest($1::uuid[]) as acknowledged(id)
         left join runs r on r.event_id = acknowledged.id and r.status = 'succeeded' where r.id is null`,
        [this.#acknowledged],
      );
      const stuck = rows[0]?.stuck ?? 0;
      if (stuck === 0 || Date.now() > deadline) return stuck;
      await sleep(100);
    }
  }

  async readiness(): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.#product.base}/readyz`);
    return { status: response.status, body: await response.json() };
  }

  async end(): Promise<void> {
    await this.stopLoad();
    await this.#product.stop();
    await this.#db.$client.end();
    await this.#database.stop();
  }

  async #waitFor(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
      if (await isSo().catch(() => false)) return;
    }
    throw new Error(`Waited ${PATIENCE_MS / 1000} s in vain until ${what}.`);
  }

  #post(agent: Agent): Promise<string | undefined> {
    const headers = { 'content-type': 'application/json', 'content-length': BODY.byteLength };
    const url = this.#product.base + this.#path;
    return new Promise((resolve) => {
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume();
        response.on('error', () => resolve(undefined));
        response.on('end', () =>
          resolve(response.statusCode === 200 ? String(response.headers['x-event-id']) : undefined),
        );
      });
      sent.on('error', () => resolve(undefined));
      sent.end(BODY);
    });
  }
}

const WRITTEN = ['runs', 'task_runs', 'graphile_worker._private_jobs'];
