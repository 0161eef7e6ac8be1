import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { loadFurtherChecks } from '#lib/tasks/load-further-checks.ts';
import { countChanges, diffGraphs } from '#lib/workflows/diff-graphs.ts';
import type { CanvasDocument } from './document.ts';
import { findProblems } from './find-problems.ts';
import type { CanvasProblem } from './problem-types.ts';

export interface DraftCheck {
  problems: readonly CanvasProblem[];
  /** How much publishing would change; 0 while nothing is published. */
  changeCount: number;
}

/** What the editor says about a draft all the time. The page comes with it; the browser looks again after a change. */
export async function checkDraft(
  document: CanvasDocument,
  published: Pick<WorkflowGraph, 'tasks' | 'edges'> | null,
): Promise<DraftCheck> {
  return {
    problems: findProblems(document, await loadFurtherChecks(document.tasks)),
    changeCount: published ? countChanges(diffGraphs(document, published)) : 0,
  };
}
