// Two workflows of each customer, and people who set holds and stops and end them at any moment (docs/engine.md, "Proof").
import { inTransaction, queryRows } from '#lib/core/db/client.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { Model, ModelKind, Stage } from '#lib/engine/testing/simulation/model.ts';
import { type Change, makeSchedule, type Schedule } from '#lib/engine/testing/simulation/schedule.ts';
import { effectKey } from '#lib/engine/testing/simulation/tasks.ts';
import { SimulatedProcess } from '#lib/engine/testing/simulation/world.ts';
import { endHolds, wakeWaiting } from '#lib/messaging/consent/hold-waits.ts';
import { putOnHold } from '#lib/messaging/consent/holds.ts';
import { recordConsents } from '#lib/messaging/consent/record-consents.ts';
import { Random } from '#lib/testing/random.ts';
import { findCustomerViolations } from './invariants.ts';
import { customerStatements, setCustomers } from './statements.ts';
import { customerOf, CustomerTables, type HoldRow, namesOf, type Purpose } from './tables.ts';
import { createCustomerExecutors, makeCustomerWorkflow, type Settings } from './tasks.ts';

const WORKFLOWS_OF_A_CUSTOMER = 2;
const BUSY_MS = 9000;
const RETRY_MS = 300;
/** Shares of sends, and of looks at a hold that a run waits for, at which a change follows, and how soon. */
const INTERFERES = { withSends: 0.1, withWaits: 0.2, withinMs: [2, 5, 15] };
/** Rare defects are found by giving back at most of the looks, by processes that often die. */
const AIM = { withWaits: 0.8, withinMs: [2, 5], dies: 0.4 };
const GIVE_BACK_EVERY_MS = 5000;
const EVIDENCE = { kind: 'user' as const, actor: 'simulation' };

/** Protections that a test removes. */
export type CustomerSabotage =
  /** A message is checked when its turn is taken, not after its record. */
  | 'early'
  /** A message that waited is not checked again. */
  | 'once'
  /** The wait is recorded after the hold was looked up. */
  | 'unrecorded'
  /** The look-up after the wait was recorded does not wait for changes that are not committed. */
  | 'shared'
  /** The end of a hold is committed before its signals. */
  | 'apart'
  /** A hold that ends wakes no run. */
  | 'silent'
  /** Runs that waited do not wait for those before them. */
  | 'order'
  /** Only the name that a message is sent to counts. */
  | 'names'
  /** The time that a hold suspends is not added. */
  | 'pauses';

interface CustomerChange extends Change {
  customer: number;
  kind: 'hold' | 'release' | 'stop' | 'resume';
  /** Of a hold; null: until it is released. */
  forMs: number | null;
  sends: HoldRow['sends'];
  deadlines: HoldRow['deadlines'];
  purpose: Purpose;
  /** The process that makes it dies this long after it began, and the change is not repeated. */
  diesAfterMs?: number | undefined;
}

function makeCustomerSchedule(seed: number): Schedule {
  const schedule = makeSchedule(seed);
  const random = new Random(seed * 17 + 3);
  const customers = 1 + random.below(2);
  const workflows = customers * WORKFLOWS_OF_A_CUSTOMER;
  const arrivals = Array.from({ length: 3 + random.below(5) }, () => ({
    atMs: Math.round(random.between(0, BUSY_MS / 2)),
    workflow: random.below(workflows),
  }));
  const changes = Array.from({ length: 1 + random.below(8) }, () => makeChange(random, customers));
  return { ...schedule, workflows, arrivals, changes, signals: [], gates: [], limits: [] };
}

const makeChange = (random: Random, customers: number): CustomerChange => ({
  atMs: Math.round(random.between(0, BUSY_MS)),
  customer: random.below(customers),
  kind: random.pick(['hold', 'hold', 'hold', 'release', 'release', 'stop', 'resume'] as const),
  forMs: random.pick([null, null, 500, 4000]),
  sends: random.pick(['suppress', 'wait', 'wait'] as const),
  deadlines: random.pick(['run', 'stand_still'] as const),
  purpose: random.pick(['all', 'marketing'] as const),
  ...(random.chance(0.2) ? { diesAfterMs: Math.round(random.between(0, 12)) } : {}),
});

interface Options {
  /** A protection that is left out. */
  sabotage?: CustomerSabotage;
  /** Disturbs runs that begin to wait more than anything else. */
  isAimed?: boolean;
}

export const customersModel = (options: Options = {}): ModelKind => ({
  ...customerStatements(options.sabotage),
  makeSchedule: makeCustomerSchedule,
  create: (stage) => new Customers(stage, options),
});

class Customers implements Model {
  readonly #stage: Stage;
  readonly #sabotage: CustomerSabotage | undefined;
  readonly #isAimed: boolean;
  readonly #own = new CustomerTables();
  readonly #graphs: WorkflowGraph[] = [];
  #changesLeft = 0;

  constructor(stage: Stage, { sabotage, isAimed = false }: Options) {
    this.#stage = stage;
    this.#sabotage = sabotage;
    this.#isAimed = isAimed;
    setCustomers(stage.tables, this.#own);
    this.#own.onLook = (name) => this.#interfereWithWait(customerOf(name));
  }

  makeWorkflow(random: Random, number: number): WorkflowGraph {
    const customer = Math.floor(number / WORKFLOWS_OF_A_CUSTOMER);
    const graph = makeCustomerWorkflow(random, random.pick(namesOf(customer)));
    this.#graphs.push(graph);
    return graph;
  }

  createExecutors(pool: Parameters<Model['createExecutors']>[0]): ReturnType<Model['createExecutors']> {
    const { workspaceId } = this.#stage;
    const accept = (key: string, settings: Settings): void => this.#accept(key, settings);
    return createCustomerExecutors(pool, { workspaceId, accept, sabotage: this.#sabotage });
  }

  #accept(key: string, { recipient, isMarketing = false }: Settings): void {
    const { platform, tables, world } = this.#stage;
    platform.receive(key, 0);
    this.#own.leaves.push({
      key,
      name: recipient,
      isMarketing,
      recordedAt: this.#own.recordedAt.get(key) ?? Infinity,
      moment: tables.nextMoment(),
      atMs: world.nowMs,
    });
  }

  onTaskRun(runId: string, after: Parameters<Model['onTaskRun']>[1]): void {
    const key = effectKey(runId, after.task_id, after.iteration);
    const moment = this.#stage.tables.nextMoment();
    if (after.state?.includes('in_flight') === true) {
      this.#own.recordedAt.set(key, moment);
      const run = this.#stage.tables.runs.get(runId);
      const place = [...this.#stage.tables.workflows.values()].findIndex(({ id }) => id === run?.workflow_id);
      this.#interfereWithSend(Math.floor(place / WORKFLOWS_OF_A_CUSTOMER));
    }
    const { status, branch, error, output } = after;
    this.#own.outcomes.set(key, { status, branch, error, output, moment });
  }

  start(): void {
    for (const change of (this.#stage.schedule.changes ?? []) as readonly CustomerChange[])
      this.#schedule(change);
    this.#stage.world.schedule(BUSY_MS + 1000, undefined, () => this.#giveBack());
  }

  /** A change at the worst moment. */
  #interfere(customer: number, change: Partial<CustomerChange>, withinMs: readonly number[]): void {
    const { random } = this.#stage.world;
    const atMs = random.between(0, random.pick(withinMs));
    this.#schedule({ ...makeChange(random, 1), ...change, customer, atMs });
  }

  #interfereWithSend(customer: number): void {
    const { random, elapsedMs } = this.#stage.world;
    if (elapsedMs > BUSY_MS || !random.chance(INTERFERES.withSends)) return;
    this.#interfere(customer, { kind: random.pick(['hold', 'stop'] as const) }, INTERFERES.withinMs);
  }

  #interfereWithWait(customer: number): void {
    const { random, elapsedMs } = this.#stage.world;
    if (elapsedMs > BUSY_MS || !random.chance(this.#isAimed ? AIM.withWaits : INTERFERES.withWaits)) return;
    if (!this.#isAimed) {
      const kind = random.pick(['release', 'release', 'hold', 'stop'] as const);
      return this.#interfere(customer, { kind }, INTERFERES.withinMs);
    }
    const diesAfterMs = random.chance(AIM.dies) ? random.between(2, 12) : undefined;
    this.#interfere(customer, { kind: 'release', diesAfterMs }, AIM.withinMs);
  }

  /** In the end all holds are released: again where a workflow sets one after that, but only those that there are. */
  #giveBack(): void {
    const { world, schedule } = this.#stage;
    const customers = schedule.workflows / WORKFLOWS_OF_A_CUSTOMER;
    for (let customer = 0; customer < customers; customer += 1)
      if (namesOf(customer).some((name) => this.#own.isHeld(name, world.nowMs)))
        this.#schedule({ ...LAST, atMs: 0, customer });
    world.schedule(GIVE_BACK_EVERY_MS, undefined, () => this.#giveBack());
  }

  isOver(): boolean {
    return this.#changesLeft === 0;
  }

  findViolations(): string[] {
    const { tables, platform } = this.#stage;
    return findCustomerViolations({ tables, platform, own: this.#own, graphOf: (run) => this.#graphOf(run) });
  }

  #graphOf(workflowId: string): WorkflowGraph | undefined {
    const place = [...this.#stage.tables.workflows.values()].findIndex(({ id }) => id === workflowId);
    return this.#graphs[place];
  }

  #schedule(change: CustomerChange): void {
    this.#changesLeft += 1;
    const { atMs, diesAfterMs } = change;
    let isMade = false;
    this.#stage.world.schedule(atMs, undefined, () => {
      const process = new SimulatedProcess('api', this.#stage.world);
      const pool = this.#stage.openPool(process);
      this.#stage.world.enter(process, () => {
        const attempt = (): void => {
          this.#make(pool, change).then(
            () => {
              isMade = true;
              this.#changesLeft -= 1;
            },
            () => setTimeout(attempt, RETRY_MS),
          );
        };
        attempt();
      });
      if (diesAfterMs === undefined) return;
      this.#stage.world.schedule(diesAfterMs, process, () => {
        process.isDead = true;
        if (!isMade) this.#changesLeft -= 1;
      });
    });
  }

  async #make(pool: ReturnType<Stage['openPool']>, change: CustomerChange): Promise<void> {
    const { workspaceId } = this.#stage;
    const { kind, customer, forMs, sends, deadlines, purpose } = change;
    const names = namesOf(customer);
    const since = new Date();
    if (kind === 'hold') {
      const until = forMs === null ? null : new Date(since.getTime() + forMs);
      const reason = `hold of ${change.atMs}`;
      const hold = { workspaceId, names, since, until, reason, evidence: EVIDENCE, sends, deadlines };
      await inTransaction(pool, (client) => putOnHold(client, hold));
    } else if (kind === 'release') {
      if (this.#sabotage === 'apart') {
        await inTransaction(pool, async (client) => endSilently(client, workspaceId, names));
        await inTransaction(pool, (client) => wakeWaiting(client, workspaceId, names));
      } else {
        await inTransaction(pool, (client) =>
          this.#sabotage === 'silent'
            ? endSilently(client, workspaceId, names)
            : endHolds(client, workspaceId, names),
        );
      }
    } else {
      const state = kind === 'stop' ? ('stopped' as const) : ('given' as const);
      const consent = { workspaceId, names, purpose, state, at: since, evidence: EVIDENCE };
      await queryRows({ $client: pool }, recordConsents([consent]));
    }
  }
}

const LAST = { kind: 'release', forMs: null, sends: 'wait', deadlines: 'run', purpose: 'all' } as const;

/** Without the signals. */
const endSilently = (...[client, workspaceId, names]: Parameters<typeof endHolds>): Promise<unknown> =>
  client.query('update customer_holds', [workspaceId, [...names]]);
