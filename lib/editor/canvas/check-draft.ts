import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import type { KnownSecret } from '#lib/secrets/named-secret.ts';
import { loadFurtherChecks } from '#lib/tasks/load-further-checks.ts';
import { countChanges, diffGraphs } from '#lib/workflows/diff-graphs.ts';
import type { CanvasDocument } from './document.ts';
import { findProblems } from './find-problems.ts';
import type { CanvasProblem } from './problem-types.ts';

export interface DraftCheck {
  problems: readonly CanvasProblem[];
  /** How much publishing would change; 0 while nothing is published. */
  changeCount: number;
  /** Connections that the platform said nothing of at their last check, each with the reason. */
  unchecked: readonly { name: string; reason: string }[];
}

/**
 * What the editor says about a draft all the time. The page comes with it; the browser looks again after a change.
 * @param facts what the platform said of the connections that its tasks use, as far as it is known
 * @param secrets of the workspace
 */
export async function checkDraft(
  document: CanvasDocument,
  published: WorkflowGraph | null,
  facts: PlatformFacts,
  secrets: readonly KnownSecret[] = [],
): Promise<DraftCheck> {
  return {
    problems: findProblems(document, await loadFurtherChecks(document.tasks), facts, secrets),
    changeCount: published ? countChanges(diffGraphs(document, published)) : 0,
    unchecked: Object.values(facts).flatMap((each) =>
      each?.checkProblem ? [{ name: each.name, reason: each.checkProblem }] : [],
    ),
  };
}
