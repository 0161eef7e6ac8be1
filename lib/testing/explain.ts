// What statements read, by PostgreSQL's own count: tests of lists compare it with the size of a page, never time.
import type { Pool } from '#lib/core/db/client.ts';

export interface Reads {
  /** Rows that were looked at, also those that a condition then left out, by table. */
  rows: Record<string, number>;
  /** Pages of 8 KB, of tables and indexes, each as often as it was looked at. */
  buffers: number;
}

interface PlanNode {
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
  'QUERY PLAN': [{ Plan: PlanNode }];
}

/** Executes a statement and counts what it read. */
export async function readsOf(pool: Pool, text: string, values: unknown[] = []): Promise<Reads> {
  const { rows } = await pool.query<ExplainRow>(`explain (analyze, buffers, format json) ${text}`, values);
  const root = rows[0]?.['QUERY PLAN'][0].Plan;
  if (!root) throw new Error('EXPLAIN gave no plan.');
  const read: Reads = { rows: {}, buffers: 0 };
  addReads(read, root);
  read.buffers = (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0);
  return read;
}

function addReads(read: Reads, node: PlanNode): void {
  const table = node['Relation Name'];
  if (table !== undefined && node['Actual Loops'] > 0) {
    const left = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    const visited = Math.ceil((node['Actual Rows'] + left) * node['Actual Loops']);
    if (visited > 0) read.rows[table] = (read.rows[table] ?? 0) + visited;
  }
  for (const child of node.Plans ?? []) addReads(read, child);
}

interface Statement {
  text: string;
  values: unknown[];
}

/** Does some work, then executes each of its queries again and counts what they read together. */
export async function readsOfWork(pool: Pool, work: () => Promise<unknown>): Promise<Reads> {
  const total: Reads = { rows: {}, buffers: 0 };
  for (const { text, values } of await queriesOf(pool, work)) {
    const read = await readsOf(pool, text, values);
    total.buffers += read.buffers;
    for (const [table, rows] of Object.entries(read.rows))
      total.rows[table] = (total.rows[table] ?? 0) + rows;
  }
  return total;
}

/** The queries that some work sends through a pool. */
async function queriesOf(pool: Pool, work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
  const watched = (first: string | (Statement & object), values?: unknown[]): Promise<unknown> => {
    const text = typeof first === 'string' ? first : first.text;
    statements.push({ text, values: values ?? (typeof first === 'string' ? [] : first.values) ?? [] });
    return query(first, values);
  };
  Object.assign(pool, { query: watched });
  try {
    await work();
  } finally {
    Reflect.deleteProperty(pool, 'query');
  }
  return statements;
}
