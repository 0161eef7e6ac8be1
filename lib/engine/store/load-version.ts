// Reads published versions: their graphs for runs, screens and the intake.
import { LRUCache } from 'lru-cache';
import type { Pool, Queryable } from '#lib/core/db/client.ts';
import { type CompiledGraph, compileGraph } from '../graph.ts';
import type { WorkflowGraph } from '../graph-types.ts';

/** Shared by all callers: never changed in place. */
export interface StoredVersion {
  /** The name it was published under. */
  name: string;
  graph: WorkflowGraph;
  compiled: CompiledGraph;
}

const VERSION = 'select name, graph::text from workflow_versions where workflow_id = $1 and version = $2';

/** Versions never change. Their ids are random, so that one cache serves every pool of the process. */
const remembered = new LRUCache<string, StoredVersion>({ max: 5000, maxSize: 32 * 1024 * 1024 });
/** Concurrent loads of a version share one query. */
const loading = new Map<string, Promise<StoredVersion | undefined>>();

/** Undefined when there is no such version. The caller has checked the workspace. */
export function findVersion(
  pool: Queryable,
  workflowId: string,
  version: number,
): Promise<StoredVersion | undefined> {
  const key = `${workflowId}:${version}`;
  const known = remembered.get(key);
  if (known) return Promise.resolve(known);
  let found = loading.get(key);
  if (!found) {
    found = read(pool, workflowId, version).finally(() => loading.delete(key));
    loading.set(key, found);
  }
  return found;
}

/**
 * The graph of a version that a run executes.
 * @throws Error when there is none: runs only exist of stored ones
 */
export async function loadGraph(pool: Pool, workflowId: string, version: number): Promise<CompiledGraph> {
  const found = await findVersion(pool, workflowId, version);
  if (!found) throw new Error(`Workflow ${workflowId} has no version ${version}.`);
  return found.compiled;
}

async function read(
  pool: Queryable,
  workflowId: string,
  version: number,
): Promise<StoredVersion | undefined> {
  const { rows } = await pool.query<{ name: string; graph: string }>({
    name: 'load_version',
    text: VERSION,
    values: [workflowId, version],
  });
  const [row] = rows;
  if (!row) return undefined;
  const graph = JSON.parse(row.graph) as WorkflowGraph;
  const stored = { name: row.name, graph, compiled: compileGraph(graph) };
  remembered.set(`${workflowId}:${version}`, stored, { size: row.graph.length });
  return stored;
}
