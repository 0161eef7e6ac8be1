// A process of the product simulated inside this one: the real runtime, with a possible fault at every operation. It crashes
// like a killed process: its connections are cut and operations in progress never continue.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';
import type { PoolClient } from 'pg';
import type { Pool } from '#lib/core/db/client.ts';
import type { ProcessKind } from '#lib/core/db/connection-budget.ts';
import type { Settings } from '#lib/core/env.ts';
import { openRuntime, type ProcessRuntime } from '#lib/core/process-runtime.ts';
import type { Director } from './director.ts';
import { effectOf, statementName } from './operation-names.ts';
import type { Place, Point, Strike } from './point.ts';

/** Other simulated processes wait for this statement, because versions are cached by a module: it fails instead. */
const SHARED_BY_PROCESSES = 'load_version';

const HEARTBEAT = 'beat';

const current = new AsyncLocalStorage<ActingProcess>();

/** The simulated process that the running code belongs to. */
export const currentProcess = (): ActingProcess | undefined => current.getStore();

/** Changes the text of statements, to remove a protection. */
export type Rewrite = (operation: string, text: string) => string;

export interface Activity {
  /** Operations in progress. */
  pending: number;
  lastMs: number;
}

export interface ActingProcessOptions {
  kind: ProcessKind;
  settings: Settings;
  logger: Logger;
  director: Director;
  activity: Activity;
  /** Called when a fault hits it. */
  onStrike: (strike: Strike) => void;
  /** Called at every point; it may wait. */
  onPass: (point: Point) => Promise<void> | undefined;
  rewrite?: Rewrite | undefined;
  /** Operations that never return once one of their statements has failed. */
  endsWithFailure?: string | undefined;
}

type Query = string | { name?: string; text: string; values?: unknown[] };
type Callback = (error: unknown, result?: unknown) => void;

/** Undefined for anything but a response of the database. */
const rowCountOf = (result: unknown): number | null | undefined =>
  (result as { rowCount?: number | null } | undefined)?.rowCount;

/** One per waiter: a shared promise would keep all waiters in memory. */
const never = (): Promise<never> => new Promise(() => undefined);

export class ActingProcess {
  readonly kind: ProcessKind;
  readonly runtime: ProcessRuntime;
  /** The id of its heartbeat; undefined before the first one. */
  heartbeatId: string | undefined;
  readonly #options: ActingProcessOptions;
  readonly #cuts = new Set<() => void>();
  readonly #death = Promise.withResolvers<void>();
  #isDead = false;
  /** While it is suspended. */
  #gate: PromiseWithResolvers<void> | undefined;
  /** After being suspended, its operations are no points any more. */
  #wasStruck = false;
  #hasFailed = false;
  #connecting = 0;

  constructor(options: ActingProcessOptions) {
    this.kind = options.kind;
    this.#options = options;
    this.runtime = openRuntime(options.kind, options.settings, options.logger);
    const { db, hot, engine, vital } = this.runtime;
    for (const pool of new Set([db.$client, hot, engine, vital])) this.#watch(pool);
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Number of acquisitions of connections in progress; none while it is suspended. */
  get connecting(): number {
    return this.#isDead || this.#gate ? 0 : this.#connecting;
  }

  /** Settles when it crashes. */
  get death(): Promise<void> {
    return this.#death.promise;
  }

  /** Runs code of the product as this process; never settles if the process crashes. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return current.run(this, work);
  }

  die(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    for (const cut of this.#cuts) cut();
    this.#cuts.clear();
    this.#death.resolve();
  }

  /** Resumes it. */
  resume(): void {
    this.#gate?.resolve();
    this.#gate = undefined;
  }

  /** @param cut ends the connection of the operation, for good. */
  async operate<Result>(
    { operation, effect }: Pick<Point, 'operation' | 'effect'>,
    act: () => Promise<Result>,
    cut: () => void,
  ): Promise<Result> {
    const { director, activity } = this.#options;
    const nth = this.#wasStruck ? 0 : director.count(this.kind, operation);
    const point = { kind: this.kind, operation, effect, nth };
    await this.#pass(point, 'before', cut);
    activity.pending += 1;
    let ended: { result: Result } | { error: unknown };
    try {
      ended = { result: await act() };
    } catch (error) {
      ended = { error };
    } finally {
      activity.pending -= 1;
      activity.lastMs = performance.now();
    }
    const changed = !('result' in ended) || rowCountOf(ended.result) !== 0;
    await this.#pass(changed ? point : { ...point, effect: 'reads' }, 'after', cut);
    if ('result' in ended) return ended.result;
    throw ended.error;
  }

  async #pass(point: Omit<Point, 'place'>, place: Place, cut: () => void): Promise<void> {
    if (this.#isDead) return this.#endFor(point.operation);
    const { director, endsWithFailure, onStrike } = this.#options;
    if (this.#hasFailed && point.operation === endsWithFailure) return never();
    const strike = this.#wasStruck || point.nth === 0 ? undefined : director.pass(point, place);
    if (strike === 'breaks') {
      onStrike(strike);
      cut();
      this.#hasFailed ||= point.operation === endsWithFailure;
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
    }
    if (strike === 'dies') {
      this.die();
      onStrike(strike);
      return this.#endFor(point.operation);
    }
    if (strike) {
      this.#gate = Promise.withResolvers();
      this.#wasStruck = true;
      onStrike(strike);
    }
    if (!strike) await this.#options.onPass({ ...point, place });
    await this.#gate?.promise;
    if (this.#isDead) return this.#endFor(point.operation);
  }

  #endFor(operation: string): Promise<never> {
    if (operation === SHARED_BY_PROCESSES) throw new Error('This process is dead.');
    return never();
  }

  #watch(pool: Pool): void {
    const connect = pool.connect.bind(pool) as (callback?: Callback) => Promise<PoolClient> | void;
    pool.connect = ((callback?: Callback) => {
      if (this.#isDead) return callback ? undefined : never();
      this.#connecting += 1;
      const end = (): void => {
        this.#connecting -= 1;
        this.#options.activity.lastMs = performance.now();
      };
      if (callback)
        return connect((...given) => {
          end();
          callback(...given);
        });
      return (connect() as Promise<PoolClient>).finally(end);
    }) as typeof pool.connect;
    pool.on('connect', (client) => this.#watchClient(client));
  }

  #watchClient(client: PoolClient): void {
    const cut = (): void => {
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    };
    if (this.#isDead) return cut();
    this.#cuts.add(cut);
    client.once('end', () => this.#cuts.delete(cut));
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const send = (asked: Query, values: unknown, callback?: Callback): Promise<unknown> | undefined => {
      const operation = statementName(asked);
      if (operation === HEARTBEAT && typeof asked === 'object') this.heartbeatId = String(asked.values?.[0]);
      const effect = effectOf(typeof asked === 'string' ? asked : asked.text);
      const sent = this.operate(
        { operation, effect },
        () => query(this.#rewritten(operation, asked), values),
        cut,
      );
      if (!callback) return sent;
      sent.then((result) => callback(undefined, result), callback);
      return undefined;
    };
    client.query = ((asked: Query, values?: unknown, callback?: Callback) =>
      typeof values === 'function'
        ? send(asked, undefined, values as Callback)
        : send(asked, values, callback)) as typeof client.query;
  }

  #rewritten(operation: string, asked: Query): Query {
    const { rewrite } = this.#options;
    if (!rewrite) return asked;
    if (typeof asked === 'string') return rewrite(operation, asked);
    return { ...asked, text: rewrite(operation, asked.text) };
  }

  /** Registers a resource that ends with the process. @returns unregisters it */
  keep(cut: () => void): () => void {
    if (this.#isDead) cut();
    else this.#cuts.add(cut);
    return () => this.#cuts.delete(cut);
  }
}
