// What some work costs: processor time by process, and statements of PostgreSQL.
import { readFamilySeconds } from '#lib/testing/process-times.ts';
import type { BenchDatabase } from './database.ts';

export interface Cost {
  /** Processor time for an item, by process. */
  microseconds: Record<string, number>;
  /** Of PostgreSQL, for an item. */
  statements: number;
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
  const readSeconds = (): Record<string, number> => ({
    ...Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, readFamilySeconds(pid)])),
    PostgreSQL: readFamilySeconds(database.pid, [database.watcherPid]),
  });
  await database.emptyTables();
  await database.resetStatements();
  const before = readSeconds();
  const result = await work();
  const used = Object.entries(readSeconds()).map(([name, seconds]): [string, number] => [
    name,
    ((seconds - (before[name] ?? 0)) * 1e6) / result.items,
  ]);
  return {
    ...result,
    microseconds: Object.fromEntries(used),
    statements: (await database.countStatements()) / result.items,
  };
}

/** One line: "web 120, PostgreSQL 90 µs, 0.31 statements". */
export const describeCost = ({ microseconds, statements }: Cost): string => {
  const parts = Object.entries(microseconds).map(([name, value]) => `${name} ${value.toFixed(0)}`);
  const total = Object.values(microseconds).reduce((sum, value) => sum + value, 0);
  return `µs: ${total.toFixed(0)} (${parts.join(', ')})   ${statements.toFixed(2)} statements`;
};
