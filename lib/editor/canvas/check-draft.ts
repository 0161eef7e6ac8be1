import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import type { KnownSecret } from '#lib/secrets/named-secret.ts';
import { loadFurtherChecks } from '#lib/tasks/check-settings.ts';
import { countChanges, diffGraphs } from '#lib/workflows/diff-graphs.ts';
import type { CanvasDocument } from './document.ts';
import { type CanvasProblem, findProblems } from './find-problems.ts';

export interface DraftCheck {
  problems: readonly CanvasProblem[];
  /** Number of changes to publish; 0 while no version is published. */
  changeCount: number;
  /** Connections that could not be checked with the platform, each with the reason. */
  unchecked: readonly { name: string; reason: string }[];
}

/**
 * The editor's continuous checks of a draft. The server runs them for the page; the browser repeats them after each change.
 * @param facts the platform's data about the connections of its tasks, as far as known
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
