import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { needsFurtherChecks } from '#lib/tasks/needs-further-checks.ts';
import { countChanges, diffGraphs } from './diff.ts';
import type { CanvasDocument } from './document.ts';
import { findProblems } from './find-problems.ts';
import type { CanvasProblem } from './problem-types.ts';

export interface DrawingCheck {
  problems: readonly CanvasProblem[];
  /** How much publishing would change; 0 while nothing is published. */
  changeCount: number;
}

/** What the editor says about a draft all the time. The page comes with it; the browser looks again after a change. */
export async function checkDrawing(
  document: CanvasDocument,
  published: Pick<WorkflowGraph, 'tasks' | 'edges'> | null,
): Promise<DrawingCheck> {
  const further = needsFurtherChecks(document.tasks)
    ? await import('#lib/tasks/further-checks.ts')
    : undefined;
  return {
    problems: findProblems(document, further?.FURTHER_CHECKS),
    changeCount: published ? countChanges(diffGraphs(document, published)) : 0,
  };
}
