import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
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
export const checkDrawing = (
  document: CanvasDocument,
  published: Pick<WorkflowGraph, 'tasks' | 'edges'> | null,
): DrawingCheck => ({
  problems: findProblems(document),
  changeCount: published ? countChanges(diffGraphs(document, published)) : 0,
});
