// What some work costs: processor time by process, and statements of PostgreSQL.
import { readFamilySeconds } from '#lib/testing/process-times.ts';
import type { BenchDatabase } from './database.ts';

export interface Cost {
  /** Processor time for an item, by process. */
  microseconds: Record<string, number>;
  /** Of PostgreSQL, for an item. */
  statements: number;
}

/** Processor seconds so far, by process. */
export type Seconds = Readonly<Record<string, number>>;

export const readSecondsOf = (pids: Readonly<Record<string, number>>): Seconds =>
  Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, readFamilySeconds(pid)]));

/** Measures the processor time of some work. @param work returns the number of its items, and whatever else */
export async function measureTimes<Result extends { items: number }>(
  readSeconds: () => Seconds,
  work: () => Promise<Result>,
): Promise<Result & Pick<Cost, 'microseconds'>> {
  const before = readSeconds();
  const result = await work();
  const used = Object.entries(readSeconds()).map(([name, seconds]): [string, number] => [
    name,
    ((seconds - (before[name] ?? 0)) * 1e6) / result.items,
  ]);
  return { ...result, microseconds: Object.fromEntries(used) };
}

/**
 * Measures work on a database that counts statements, which is emptied before.
 * @param pids the measured processes by name, without PostgreSQL @param work returns the number of its items, and whatever else
 */
export async function measureCost<Result extends { items: number }>(
  database: BenchDatabase,
  pids: Readonly<Record<string, number>>,
  work: () => Promise<Result>,
): Promise<Result & Cost> {
  const readSeconds = (): Seconds => ({
    ...readSecondsOf(pids),
    PostgreSQL: readFamilySeconds(database.pid, [database.watcherPid]),
  });
  await database.emptyTables();
  await database.resetStatements();
  const measured = await measureTimes(readSeconds, work);
  return { ...measured, statements: (await database.countStatements()) / measured.items };
}

export const sumOf = (microseconds: Cost['microseconds']): number =>
  Object.values(microseconds).reduce((sum, value) => sum + value, 0);

/** One line: "µs: 210 (web 120, PostgreSQL 90)". */
export const describeTimes = (microseconds: Cost['microseconds']): string => {
  const parts = Object.entries(microseconds).map(([name, value]) => `${name} ${value.toFixed(0)}`);
  return `µs: ${sumOf(microseconds).toFixed(0)} (${parts.join(', ')})`;
};

/** The same with the statements. */
export const describeCost = ({ microseconds, statements }: Cost): string =>
  `${describeTimes(microseconds)}   ${statements.toFixed(2)} statements`;
