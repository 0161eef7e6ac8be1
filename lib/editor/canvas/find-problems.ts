// All problems that prevent publishing or make variables render as empty, by task.
import type { Problem } from '#lib/core/errors.ts';
import type { WorkflowEdge, WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { compileGraph } from '#lib/engine/graph.ts';
import { validateGraph } from '#lib/engine/validate-graph.ts';
import type { PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import type { KnownSecret } from '#lib/secrets/named-secret.ts';
import { checkPicks, listSharedStarts } from '#lib/tasks/picks.ts';
import { checkItemsAtOnce } from '#lib/tasks/check-items-at-once.ts';
import { checkReferences } from '#lib/tasks/check-references.ts';
import { checkSettings, type FurtherChecks } from '#lib/tasks/check-settings.ts';
import { describeForGraph } from '#lib/tasks/exits.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { listMisdirectedSecrets, listUnknownSecrets } from '#lib/tasks/named-secrets.ts';
import { listReadableCredentials } from '#lib/tasks/plain-credentials.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { reachablePart } from '#lib/workflows/graph-paths.ts';

export interface CanvasProblem {
  /** Undefined for a problem of the whole workflow. */
  taskId: number | undefined;
  /** As in `settings.conditions[0].left`; undefined for a problem of the whole task. */
  field: string | undefined;
  message: string;
  /** The unknown variable that caused the problem. */
  variable?: string;
  /** Errors prevent publishing; warnings mean that something will be empty. */
  severity: 'error' | 'warning';
}

type Drawing = Readonly<{ tasks: readonly WorkflowTask[]; edges: readonly WorkflowEdge[] }>;

/**
 * All problems: errors prevent publishing, warnings do not. Disabled tasks are checked, too.
 * @param furtherChecks heavy to load: passed when the workflow needs them (`loadFurtherChecks`)
 * @param facts the platform's data about picked values
 * @param secrets of the workspace
 */
export function findProblems(
  drawing: Drawing,
  furtherChecks?: FurtherChecks,
  facts: PlatformFacts = {},
  secrets: readonly KnownSecret[] = [],
): CanvasProblem[] {
  const known = new Map(secrets.map((secret) => [secret.name, secret]));
  const graph: WorkflowGraph = { tasks: [...drawing.tasks], edges: [...drawing.edges] };
  const describe = ({ type, settings }: WorkflowTask) => describeForGraph(findTaskKind(type), settings);
  return [
    ...validateGraph(graph, describe).map((problem) => locate(problem, graph)),
    ...graph.tasks.flatMap((task) => settingProblems(task, furtherChecks)),
    ...checkItemsAtOnce(graph).map(({ task, ...problem }) => locateIn(task, problem)),
    ...graph.tasks.flatMap((task) => checkPicks(task, facts).map((problem) => locateIn(task, problem))),
    ...graph.tasks.flatMap((task) => listSharedStarts(task, facts).map((problem) => warnIn(task, problem))),
    ...graph.tasks.flatMap((task) => secretProblems(task, known)),
    ...graph.tasks.flatMap(taskWarnings),
    ...referenceProblems(graph),
  ];
}

/** Publishing also refuses unknown ones; they may have been added since the page was opened. */
function secretProblems(task: WorkflowTask, known: ReadonlyMap<string, KnownSecret>): CanvasProblem[] {
  const definition = findTaskDefinition(task.type);
  if (!definition) return [];
  return [
    ...listMisdirectedSecrets(definition, task.settings, known).map((problem) => locateIn(task, problem)),
    ...listUnknownSecrets(definition, task.settings, known).map((problem) => warnIn(task, problem)),
  ];
}

/** Probable credentials in plain text, and the task type's own warnings. */
function taskWarnings(task: WorkflowTask): CanvasProblem[] {
  const definition = findTaskDefinition(task.type);
  if (!definition) return [];
  return [
    ...listReadableCredentials(definition, task.settings),
    ...(definition.warningCheck?.(task.settings) ?? []),
  ].map((problem) => warnIn(task, problem));
}

/** Cached, because a task's settings are immutable. */
const known = new WeakMap<
  WorkflowTask,
  { furtherChecks: FurtherChecks | undefined; found: CanvasProblem[] }
>();

function settingProblems(task: WorkflowTask, furtherChecks: FurtherChecks | undefined): CanvasProblem[] {
  const last = known.get(task);
  if (last && last.furtherChecks === furtherChecks) return last.found;
  const definition = findTaskDefinition(task.type);
  const problems = definition
    ? checkSettings(definition, task.settings, 'publish', furtherChecks).problems
    : [];
  const unique = [
    ...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values(),
  ];
  const located = unique.map((problem) => locateIn(task, problem));
  known.set(task, { furtherChecks, found: located });
  return located;
}

const locateIn = ({ id }: WorkflowTask, { path, message }: Problem): CanvasProblem => ({
  taskId: id,
  field: path,
  message,
  severity: 'error',
});

const warnIn = (task: WorkflowTask, problem: Problem): CanvasProblem => ({
  ...locateIn(task, problem),
  severity: 'warning',
});

/** Only of reachable tasks: the others are reported as a whole. */
function referenceProblems(graph: WorkflowGraph): CanvasProblem[] {
  const reachable = reachablePart(graph);
  if (!reachable) return [];
  const compiled = compileGraph(reachable);
  return reachable.tasks.flatMap((task) =>
    checkReferences(compiled, task.id).map(({ path, ...warning }): CanvasProblem => ({
      taskId: task.id,
      field: path,
      ...warning,
      severity: 'warning',
    })),
  );
}

function locate({ path, message }: Problem, graph: WorkflowGraph): CanvasProblem {
  const [, list, index] = /^(tasks|edges)\[(\d+)\]/.exec(path) ?? [];
  const task = list === 'tasks' ? graph.tasks[Number(index)] : undefined;
  const edge = list === 'edges' ? graph.edges[Number(index)] : undefined;
  return { taskId: task?.id ?? edge?.to, field: undefined, message, severity: 'error' };
}
