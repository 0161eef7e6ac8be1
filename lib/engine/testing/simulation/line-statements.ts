// The functions of drizzle/0052_run_lines.sql: runs that are executed one at a time.
import { addAdvanceJob } from './job-statements.ts';
import type { Moment } from './moment.ts';
import type { RunRow } from './tables.ts';

/** Adds a new run to its line. @param passes it has ended already, if it may. @returns whether it has its turn */
export function enterLine({ tables, sabotage }: Moment, run: RunRow, passes: boolean): boolean {
  const { id, line } = run;
  if (line === null) return true;
  tables.lineTimes.set(id, { line, storedAt: tables.nextMoment() });
  const isFirst = [...tables.lines.values()].every((row) => row.line !== line);
  const has_turn = isFirst || sabotage === 'entering';
  if (!has_turn || !passes) tables.lines.set(id, { run_id: id, line, has_turn });
  return has_turn;
}

/** Whether a queued run may be executed. */
export const hasTurn = ({ tables, sabotage }: Moment, { id, line }: RunRow): boolean =>
  line === null || tables.lines.get(id)?.has_turn === true || sabotage === 'turns';

/** Removes ended runs, and enqueues those that are first in their lines then. */
export function leaveLines(moment: Moment, ended: readonly string[]): void {
  const { tables, sabotage } = moment;
  const next: string[] = [];
  const left = new Set<string>();
  for (const id of ended) {
    const row = tables.lines.get(id);
    if (row && tables.lines.delete(id)) left.add(row.line);
  }
  if (sabotage === 'leaving') return;
  for (const line of left) {
    const first = [...tables.lines.values()].find((row) => row.line === line);
    if (!first || first.has_turn) continue;
    first.has_turn = true;
    next.push(first.run_id);
  }
  if (next.length > 0) addAdvanceJob(moment, next);
}
