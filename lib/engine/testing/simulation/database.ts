// An in-memory database behind connections that break. Processes use it like PostgreSQL: through a pool.
import { EventEmitter } from 'node:events';
import type { Pool } from '#lib/core/db/client.ts';
import { Column } from '#lib/core/db/columns.ts';
import { ADD_RECURRING_JOB } from '#lib/core/queue/job-table.ts';
import { GIVE_BACK } from '#lib/engine/queue/heartbeat.ts';
import { addAdvanceJob } from '#lib/engine/store/advance-job.ts';
import type { Sabotage } from './moment.ts';
import { STATEMENTS } from './statements.ts';
import { Tables, type TaskRunRow } from './tables.ts';
import type { SimulatedProcess, World } from './world.ts';

/** A statement that was executed, in the order of execution. */
export interface Executed {
  name: string;
  text: string;
  values: unknown[];
  nowMs: number;
  rows: Record<string, unknown>[];
  /** The jobs that it added. */
  addedJobs: { id: string; payload: unknown }[];
}

/** Faults between processes and the database at an instant. */
export interface Network {
  /** Probability that a statement's connection breaks: before it is executed, with only its response lost, or before it commits. */
  breaks: number;
  isAway: boolean;
}

/** Statements whose name begins so, which are executed late with this probability, although nothing else is wrong. */
export interface Aim {
  name: string;
  share: number;
  latestMs: number;
}

interface Query {
  name?: string;
  text: string;
  values?: unknown[];
}

const LATENCY_MS = { least: 0.2, most: 3 };
/** Probability that a notification is lost. */
const NOTIFICATION_LOST = 0.1;

/** Maximum delay of a statement whose sender timed out, because of a commit that waits for a standby, or a stalled proxy. */
const LATEST_MS = 30_000;
/** Share of statements with a broken connection that are executed late. */
const LATE = 0.3;

/** Versions are cached by a module that all simulated processes share: none may wait for the response to a dead one. */
const SHARED_BY_PROCESSES = 'load_version';

const ADD_JOB_FOR_ALL_RUNS = `select ${addAdvanceJob('(select json_agg(id) from runs)')} where exists (select from runs)`;

/** Statements without a name. */
const UNNAMED: Record<string, string> = {
  [GIVE_BACK]: 'give_back',
  [ADD_RECURRING_JOB]: 'add_recurring_job',
  [ADD_JOB_FOR_ALL_RUNS]: 'add_job_for_all_runs',
};

export class SimulatedDatabase {
  readonly tables = new Tables();
  /** Only recorded on request. */
  readonly executed: Executed[] | undefined;
  statements = 0;
  readonly #world: World;
  readonly #network: Network;
  readonly #sabotage: Sabotage | undefined;
  readonly #aim: Aim | undefined;
  readonly #onTaskRun: (runId: string, before: TaskRunRow | undefined, after: TaskRunRow) => void;
  readonly #listeners = new Set<() => void>();

  constructor(options: {
    world: World;
    network: Network;
    sabotage?: Sabotage | undefined;
    aim?: Aim | undefined;
    keepsExecuted?: boolean | undefined;
    onTaskRun: (runId: string, before: TaskRunRow | undefined, after: TaskRunRow) => void;
  }) {
    this.#world = options.world;
    this.#network = options.network;
    this.#sabotage = options.sabotage;
    this.#aim = options.aim;
    this.#onTaskRun = options.onTaskRun;
    this.executed = options.keepsExecuted ? [] : undefined;
  }

  /** The pool of a process: only the methods that the engine uses. */
  openPool(owner: SimulatedProcess): Pool {
    const pool = {
      query: (query: Query | string, values?: unknown[]) =>
        this.#send(owner, typeof query === 'string' ? { text: query, values: values ?? [] } : query),
      connect: () => Promise.resolve(this.#openListener(owner)),
    };
    return pool as unknown as Pool;
  }

  /** Like a manually added job, or a timer that fires although its run has already resumed. */
  addJobForAllRuns(): void {
    this.#execute({ text: ADD_JOB_FOR_ALL_RUNS });
  }

  #latency(): number {
    return this.#world.random.between(LATENCY_MS.least, LATENCY_MS.most);
  }

  /** A statement in transit: it may arrive although its sender has died, and its response may be lost. */
  #send(sender: SimulatedProcess, query: Query): Promise<{ rows: Record<string, unknown>[] }> {
    const { random } = this.#world;
    const owner = query.name === SHARED_BY_PROCESSES ? undefined : sender;
    return new Promise((resolve, reject) => {
      const fail = (code: string): void => {
        const error = Object.assign(new Error('Connection terminated unexpectedly'), { code });
        this.#world.schedule(this.#latency(), owner, () => reject(error));
      };
      this.#world.schedule(this.#latency(), undefined, () => {
        if (owner?.isDead && random.chance(0.5)) return;
        if (this.#network.isAway) return fail('ECONNREFUSED');
        const executeLate = (latestMs: number): void => {
          this.#world.schedule(random.between(0, latestMs), undefined, () => void this.#execute(query));
          fail('57P01');
        };
        const aim = this.#aim;
        if (aim && query.name?.startsWith(aim.name) && random.chance(aim.share))
          return executeLate(aim.latestMs);
        const breaks = random.chance(this.#network.breaks);
        if (breaks && random.chance(LATE)) return executeLate(LATEST_MS);
        if (breaks && random.chance(0.5)) return fail('57P01');
        let rows: Record<string, unknown>[];
        try {
          rows = this.#execute(query);
        } catch (error) {
          return reject(error instanceof Error ? error : new Error(String(error)));
        }
        if (breaks) return fail('57P01');
        this.#world.schedule(this.#latency(), owner, () => resolve({ rows }));
      });
    });
  }

  #execute(query: Query): Record<string, unknown>[] {
    const name = query.name ?? UNNAMED[query.text] ?? query.text;
    const statement = STATEMENTS[name];
    if (!statement) throw new Error(`The simulated database does not know the statement ${name}.`);
    // PostgreSQL counts microseconds.
    const nowMs = Math.round(this.#world.nowMs * 1000) / 1000;
    const values = query.values ?? [];
    const plain = values.map((value) => (value instanceof Column ? value.values : value));
    const { jobsMade } = this.tables;
    let isNotified = false;
    const rows = statement(
      {
        tables: this.tables,
        nowMs,
        sabotage: this.#sabotage,
        onTaskRun: this.#onTaskRun,
        notify: () => (isNotified = true),
      },
      plain as never,
    );
    this.statements += 1;
    if (this.executed) {
      const added = [...this.tables.jobs.values()].filter(({ id }) => Number(id) > jobsMade);
      const addedJobs = added.map(({ id, payload }) => ({ id, payload }));
      this.executed.push({ name, text: query.text, values, nowMs, rows: structuredClone(rows), addedJobs });
    }
    if (isNotified) for (const hear of this.#listeners) hear();
    return rows;
  }

  /** A connection that receives most notifications of new jobs. */
  #openListener(owner: SimulatedProcess): EventEmitter {
    const client = new EventEmitter();
    const hear = (): void => {
      if (this.#world.random.chance(NOTIFICATION_LOST)) return;
      this.#world.schedule(this.#latency(), owner, () => client.emit('notification', { payload: '' }));
    };
    return Object.assign(client, {
      query: () => {
        this.#listeners.add(hear);
        return Promise.resolve({ rows: [] });
      },
      release: () => void this.#listeners.delete(hear),
    });
  }
}
