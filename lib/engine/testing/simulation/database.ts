// An in-memory database behind connections that break. Processes use it like PostgreSQL: through a pool.
import { EventEmitter } from 'node:events';
import type { Pool } from '#lib/core/db/client.ts';
import { Column } from '#lib/core/db/columns.ts';
import { ADD_RECURRING_JOB } from '#lib/core/queue/job-table.ts';
import { GIVE_BACK } from '#lib/engine/queue/heartbeat.ts';
import { FIND_OTHERS } from '#lib/engine/queue/overtaking.ts';
import { addAdvanceJob } from '#lib/engine/store/advance-job.ts';
import type { Statement } from './moment.ts';
import type { ModelStatements } from './model.ts';
import { STATEMENTS } from './statements.ts';
import { Tables, type TaskRunRow } from './tables.ts';
import { ENGINE_ROWS, type FindRows, Locks, Transaction } from './transactions.ts';
import type { SimulatedProcess, World } from './world.ts';

/** A statement that was executed, in the order of execution. */
export interface Executed {
  name: string;
  text: string;
  values: unknown[];
  nowMs: number;
  rows: Record<string, unknown>[];
  /** The jobs that it added. */
  addedJobs: { id: string; payload: unknown; runAtMs: number }[];
  /** The number of its transaction, which ends with the statement `commit` or `rollback`, or is lost. */
  transaction?: number | undefined;
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

const toQuery = (query: Query | string, values: unknown[] = []): Query =>
  typeof query === 'string' ? { text: query, values } : query;

const plainValues = ({ values = [] }: Query): unknown[] =>
  values.map((value) => (value instanceof Column ? value.values : value));

const COMMIT = 'commit';
const ROLLBACK = 'rollback';
/** A commit may wait for its disk. */
const SLOW_COMMIT = { share: 0.4, mostMs: 40 };
const LOOK_FOR_LOCKS_MS = 5;

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

const HOLD_RUNS = 'update workflows set holds_runs = $2, active = not $2 where id = $1';
const openBy = (gate: string): string =>
  `select ${addAdvanceJob('json_agg(opened)')} from ${gate}($1::uuid) as opened having count(*) > 0`;
const OPEN_GATE = openBy('open_gate');
const LIMIT_WORKSPACE = 'update workspaces set max_concurrent_runs = $2 where id = $1';
const OPEN_WORKSPACE_GATE = openBy('open_workspace_gate');

/** Statements without a name. */
const UNNAMED: Record<string, string> = {
  [GIVE_BACK]: 'give_back',
  [FIND_OTHERS]: 'find_others',
  [ADD_RECURRING_JOB]: 'add_recurring_job',
  [ADD_JOB_FOR_ALL_RUNS]: 'add_job_for_all_runs',
  [HOLD_RUNS]: 'hold_runs',
  [OPEN_GATE]: 'open_gate',
  [LIMIT_WORKSPACE]: 'limit_workspace',
  [OPEN_WORKSPACE_GATE]: 'open_workspace_gate',
};

export class SimulatedDatabase {
  readonly tables = new Tables();
  /** Only recorded on request. */
  readonly executed: Executed[] | undefined;
  statements = 0;
  readonly #world: World;
  readonly #network: Network;
  readonly #sabotage: string | undefined;
  readonly #aim: Aim | undefined;
  readonly #onTaskRun: (runId: string, before: TaskRunRow | undefined, after: TaskRunRow) => void;
  readonly #listeners = new Set<() => void>();
  readonly #statements: Record<string, Statement<never>>;
  readonly #rows: Record<string, FindRows>;
  readonly #findName: (text: string) => string | undefined;
  readonly #locks = new Locks();
  #isNotified = false;
  #transactions = 0;

  constructor(options: {
    world: World;
    network: Network;
    sabotage?: string | undefined;
    aim?: Aim | undefined;
    keepsExecuted?: boolean | undefined;
    model?: ModelStatements | undefined;
    onTaskRun: (runId: string, before: TaskRunRow | undefined, after: TaskRunRow) => void;
  }) {
    this.#world = options.world;
    this.#network = options.network;
    this.#sabotage = options.sabotage;
    this.#aim = options.aim;
    this.#onTaskRun = options.onTaskRun;
    this.executed = options.keepsExecuted ? [] : undefined;
    this.#statements = { ...STATEMENTS, ...options.model?.statements };
    this.#rows = { ...ENGINE_ROWS, ...options.model?.rows };
    this.#findName = options.model?.findName ?? (() => undefined);
  }

  /** The pool of a process: only the methods that the engine uses. */
  openPool(owner: SimulatedProcess): Pool {
    const pool = {
      query: (query: Query | string, values?: unknown[]) => this.#send(owner, toQuery(query, values)),
      connect: () => Promise.resolve(this.#openClient(owner)),
    };
    return pool as unknown as Pool;
  }

  /** Like a manually added job, or a timer that fires although its run has already resumed. */
  addJobForAllRuns(): void {
    this.#execute({ text: ADD_JOB_FOR_ALL_RUNS });
  }

  /** As pausing a workflow so that it holds its runs, and resuming it (lib/workflows/lifecycle.ts). */
  setHold(workflowId: string, holds: boolean): void {
    this.#execute({ text: HOLD_RUNS, values: [workflowId, holds] });
    if (!holds) this.#execute({ text: OPEN_GATE, values: [workflowId] });
  }

  /** As limiting how many runs a workspace executes at once. */
  setLimit(workspaceId: string, most: number | null): void {
    this.#execute({ text: LIMIT_WORKSPACE, values: [workspaceId, most] });
    this.#execute({ text: OPEN_WORKSPACE_GATE, values: [workspaceId] });
  }

  #latency(): number {
    return this.#world.random.between(LATENCY_MS.least, LATENCY_MS.most);
  }

  /** A statement in transit: it may arrive although its sender has died, and its response may be lost. */
  #send(
    sender: SimulatedProcess,
    query: Query,
    transaction?: Transaction,
  ): Promise<{ rows: Record<string, unknown>[] }> {
    const { random } = this.#world;
    const owner = query.name === SHARED_BY_PROCESSES ? undefined : sender;
    return new Promise((resolve, reject) => {
      const fail = (code: string): void => {
        // A lost connection ends its transaction.
        transaction?.rollBack();
        const error = Object.assign(new Error('Connection terminated unexpectedly'), { code });
        this.#world.schedule(this.#latency(), owner, () => reject(error));
      };
      const isSlow = query.text === COMMIT && random.chance(SLOW_COMMIT.share);
      const delayMs = isSlow ? random.between(0, SLOW_COMMIT.mostMs) : this.#latency();
      this.#world.schedule(delayMs, undefined, () => {
        if (owner?.isDead && random.chance(0.5)) return;
        if (this.#network.isAway) return fail('ECONNREFUSED');
        const executeLate = (latestMs: number): void => {
          this.#world.schedule(random.between(0, latestMs), undefined, () =>
            this.#whenFree(query, transaction, () => {
              if (transaction?.isOver !== true) this.#execute(query, transaction);
            }),
          );
          if (transaction && query.text === COMMIT) transaction.isCommitting = true;
          fail('57P01');
        };
        const aim = this.#aim;
        if (aim && query.name?.startsWith(aim.name) && random.chance(aim.share))
          return executeLate(aim.latestMs);
        const breaks = random.chance(this.#network.breaks);
        if (breaks && random.chance(LATE)) return executeLate(LATEST_MS);
        if (breaks && random.chance(0.5)) return fail('57P01');
        this.#whenFree(query, transaction, () => {
          let rows: Record<string, unknown>[];
          try {
            rows = this.#execute(query, transaction);
          } catch (error) {
            return reject(error instanceof Error ? error : new Error(String(error)));
          }
          if (breaks) return fail('57P01');
          this.#world.schedule(this.#latency(), owner, () => resolve({ rows }));
        });
      });
    });
  }

  /** Executes a statement once no other transaction has locked a row that it needs. */
  #whenFree(query: Query, transaction: Transaction | undefined, execute: () => void): void {
    if (this.#locks.areFree(() => this.#rowsOf(query), transaction)) return execute();
    this.#world.schedule(LOOK_FOR_LOCKS_MS, undefined, () => this.#whenFree(query, transaction, execute));
  }

  #nameOf({ name, text }: Query): string {
    return name ?? UNNAMED[text] ?? this.#findName(text) ?? text;
  }

  #rowsOf(query: Query): string[] {
    return this.#rows[this.#nameOf(query)]?.(this.tables, plainValues(query) as never) ?? [];
  }

  #execute(query: Query, transaction?: Transaction): Record<string, unknown>[] {
    if (transaction?.isOver)
      throw Object.assign(new Error('The transaction was rolled back.'), { code: '57P01' });
    const isEnd = transaction !== undefined && (query.text === COMMIT || query.text === ROLLBACK);
    const rows = isEnd ? [] : this.#executeNamed(query, transaction);
    if (isEnd && query.text === ROLLBACK) transaction.rollBack();
    if (isEnd && query.text === COMMIT) {
      const { jobsMade } = this.tables;
      transaction.commit(this.#world.nowMs);
      this.#keep({ name: COMMIT, text: COMMIT, values: [], rows, transaction: transaction.number }, jobsMade);
    }
    const isNotified = this.#isNotified;
    this.#isNotified = false;
    if (isNotified) for (const hear of this.#listeners) hear();
    return rows;
  }

  #executeNamed(query: Query, transaction: Transaction | undefined): Record<string, unknown>[] {
    const name = this.#nameOf(query);
    const statement = this.#statements[name];
    if (!statement) throw new Error(`The simulated database does not know the statement ${name}.`);
    // PostgreSQL counts microseconds.
    const nowMs = Math.round(this.#world.nowMs * 1000) / 1000;
    const values = query.values ?? [];
    const { jobsMade } = this.tables;
    const rows = statement(
      {
        tables: this.tables,
        nowMs,
        sabotage: this.#sabotage,
        onTaskRun: this.#onTaskRun,
        notify: () => (this.#isNotified = true),
        write: (apply) => (transaction ? transaction.write(apply) : apply(nowMs)),
      },
      plainValues(query) as never,
    );
    if (transaction) this.#locks.lock(this.#rowsOf(query), transaction);
    this.statements += 1;
    this.#keep({ name, text: query.text, values, rows, transaction: transaction?.number }, jobsMade);
    return rows;
  }

  /** @param jobsMade before the statement */
  #keep(statement: Omit<Executed, 'nowMs' | 'addedJobs'>, jobsMade: number): void {
    if (!this.executed) return;
    const nowMs = Math.round(this.#world.nowMs * 1000) / 1000;
    const added = [...this.tables.jobs.values()].filter(({ id }) => Number(id) > jobsMade);
    const addedJobs = added.map(({ id, payload, run_at: runAtMs }) => ({ id, payload, runAtMs }));
    this.executed.push({ ...statement, rows: structuredClone(statement.rows), nowMs, addedJobs });
  }

  #begin(owner: SimulatedProcess): Transaction {
    const number = (this.#transactions += 1);
    return new Transaction(owner, number, () =>
      this.#keep(
        { name: ROLLBACK, text: ROLLBACK, values: [], rows: [], transaction: number },
        this.tables.jobsMade,
      ),
    );
  }

  /** A connection for transactions, or one that receives most notifications of new jobs. */
  #openClient(owner: SimulatedProcess): EventEmitter {
    const client = new EventEmitter();
    const hear = (): void => {
      if (this.#world.random.chance(NOTIFICATION_LOST)) return;
      this.#world.schedule(this.#latency(), owner, () => client.emit('notification', { payload: '' }));
    };
    let transaction: Transaction | undefined;
    return Object.assign(client, {
      query: (query: Query | string, values?: unknown[]) => {
        if (query === 'begin') transaction = this.#begin(owner);
        else if (transaction) return this.#send(owner, toQuery(query, values), transaction);
        if (transaction) return Promise.resolve({ rows: [] });
        this.#listeners.add(hear);
        return Promise.resolve({ rows: [] });
      },
      release: () => void this.#listeners.delete(hear),
    });
  }
}
