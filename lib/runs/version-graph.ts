import { LRUCache } from 'lru-cache';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import { lockRun } from '#lib/runs/load-run.ts';
import { loadGraphOf } from '#lib/runs/reopen-run.ts';
import type { Context } from '#lib/identity/context.ts';

/** Versions never change. */
const kept = new LRUCache<string, CompiledGraph>({ max: 100 });

/** The drawing of the version that a run executes. @throws AppError `not_found` */
export async function loadVersionGraph(
  ctx: Context,
  run: { id: string; workflow_id: string; version: number },
): Promise<CompiledGraph> {
  const key = `${run.workflow_id}@${run.version}`;
  const known = kept.get(key);
  if (known) return known;
  const graph = await ctx.db.transaction(async (tx) => loadGraphOf(tx, await lockRun(ctx, tx, run.id)));
  kept.set(key, graph);
  return graph;
}
