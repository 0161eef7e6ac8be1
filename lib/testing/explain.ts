// The rows and pages that statements read, as counted by PostgreSQL: tests of lists compare them with the size of a page, and
// never compare times.
import type { Pool } from '#lib/core/db/client.ts';
import { type Statement, watchStatements } from './watch-statements.ts';

export interface Reads {
  /** Examined rows by table, including those that a condition excluded. */
  rows: Record<string, number>;
  /** Pages of 8 KB, of tables and indexes, counted at each access. */
  buffers: number;
}

/** One statement as PostgreSQL executed it. */
export interface Explained extends Statement {
  /** Planning and execution, as PostgreSQL measured them. */
  milliseconds: number;
  reads: Reads;
  /** Tables with a sequential scan. */
  scanned: string[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

interface ExplainRow {
  'QUERY PLAN': [{ Plan: PlanNode; 'Planning Time': number; 'Execution Time': number }];
}

/** An executor of statements: a pool, or the client of a transaction. */
interface Executor {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** Executes a statement and returns its plan. */
async function explain(on: Executor, { text, values }: Statement): Promise<Explained> {
  const { rows } = await on.query<ExplainRow>(`explain (analyze, buffers, format json) ${text}`, values);
  const explained = rows[0]?.['QUERY PLAN'][0];
  if (!explained) throw new Error('EXPLAIN gave no plan.');
  const { Plan: root, 'Planning Time': planning, 'Execution Time': execution } = explained;
  const buffers = (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0);
  const told: Explained = {
    text,
    values,
    milliseconds: planning + execution,
    reads: { rows: {}, buffers },
    scanned: [],
  };
  addReads(told, root);
  return told;
}

function addReads(told: Explained, node: PlanNode): void {
  const table = node['Relation Name'];
  if (table !== undefined && node['Actual Loops'] > 0) {
    const left = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    const visited = Math.ceil((node['Actual Rows'] + left) * node['Actual Loops']);
    if (visited > 0) told.reads.rows[table] = (told.reads.rows[table] ?? 0) + visited;
    if (node['Node Type'] === 'Seq Scan') told.scanned.push(table);
  }
  for (const child of node.Plans ?? []) addReads(told, child);
}

/** Executes a statement and counts what it read. */
export const readsOf = async (pool: Pool, text: string, values: unknown[] = []): Promise<Reads> =>
  (await explain(pool, { text, values })).reads;

/** Does some work and returns the plan of each of its statements, also in transactions, right before its execution. */
export async function explainWork(pool: Pool, work: () => Promise<unknown>): Promise<Explained[]> {
  const explained: Explained[] = [];
  await watchStatements(pool, work, async (client, statement) => {
    explained.push(await explain(client, statement));
  });
  return explained;
}

/** Does some work and counts the rows and pages that its statements read in total. */
export async function readsOfWork(pool: Pool, work: () => Promise<unknown>): Promise<Reads> {
  const total: Reads = { rows: {}, buffers: 0 };
  for (const { reads } of await explainWork(pool, work)) {
    total.buffers += reads.buffers;
    for (const [table, rows] of Object.entries(reads.rows))
      total.rows[table] = (total.rows[table] ?? 0) + rows;
  }
  return total;
}
