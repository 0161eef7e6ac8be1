// Transactions of several statements: what one writes is seen once it is committed, and the rows that it changes are locked until
// then. A statement that needs a locked row waits.
import type { Tables } from './tables.ts';
import type { SimulatedProcess } from './world.ts';

export class Transaction {
  readonly owner: SimulatedProcess;
  isOver = false;
  /** Its commit is executed late: nothing that its connection sends afterwards comes before. */
  isCommitting = false;
  readonly #writes: ((atMs: number) => void)[] = [];

  readonly number: number;
  readonly #onRollBack: () => void;

  /** @param onRollBack called when it is lost or rolled back */
  constructor(owner: SimulatedProcess, number: number, onRollBack: () => void) {
    this.owner = owner;
    this.number = number;
    this.#onRollBack = onRollBack;
  }

  /** Nothing of it happened, unless its commit is on the way. */
  rollBack(): void {
    if (this.isOver || this.isCommitting) return;
    this.isOver = true;
    this.#onRollBack();
  }

  write(apply: (atMs: number) => void): void {
    if (!this.isOver) this.#writes.push(apply);
  }

  commit(atMs: number): void {
    for (const apply of this.#writes) apply(atMs);
    this.isOver = true;
  }
}

/** The rows that a statement changes, or waits for. */
export type FindRows = (tables: Tables, values: never) => string[];

export class Locks {
  readonly #holders = new Map<string, Transaction>();

  /** Whether none of the rows is locked by another transaction. The connection of a dead process ends, and its transaction. */
  areFree(rows: () => string[], own: Transaction | undefined): boolean {
    for (const [row, holder] of this.#holders) {
      if (holder.owner.isDead) holder.rollBack();
      if (holder.isOver) this.#holders.delete(row);
    }
    return this.#holders.size === 0 || rows().every((row) => (this.#holders.get(row) ?? own) === own);
  }

  lock(rows: string[], own: Transaction): void {
    for (const row of rows) this.#holders.set(row, own);
  }
}

const waitsOf = (tables: Tables, isMeant: (wait: { run_id: string; key: string }) => boolean): string[] =>
  [...tables.waits.values()].filter(isMeant).map(({ id }) => `wait ${id}`);

const waitsOfRuns = (tables: Tables, [, runIds]: [unknown, string[]]): string[] =>
  waitsOf(tables, ({ run_id }) => runIds.includes(run_id));

/** The rows of the engine's statements that others change in transactions. */
export const ENGINE_ROWS: Record<string, FindRows> = {
  deliver_signal: (tables, [, keys]: [string, string[]]) => waitsOf(tables, ({ key }) => keys.includes(key)),
  write_runs_with_waits: waitsOfRuns,
  write_runs_with_waits_that_fail: waitsOfRuns,
  write_runs_in_lines: waitsOfRuns,
};
