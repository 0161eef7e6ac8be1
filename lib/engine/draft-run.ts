// A run of a draft is a run like any other, except for its side effects: they are captured unless the user let them through.
// That is decided only here, between an executor and its request.
import type { JsonValue } from '#lib/core/json/value.ts';
import type { CompiledGraph, GraphNode } from './graph.ts';
import { type EffectTarget, type SideEffects, TaskError } from './task-executor.ts';

/** The user's choices when running the draft. */
export interface DraftRunOptions {
  /** All messages really go to this recipient; null: no message is sent. */
  sendTo: string | null;
  /** Requests that change something at other services are sent. */
  callsServices: boolean;
  /** By task id: its settings are incomplete, so that it fails with this message. */
  refusals: Readonly<Record<number, string>>;
  /** By task id: the task's output instead of an execution. */
  pins: Readonly<Record<number, PinnedOutput>>;
}

export interface PinnedOutput {
  /** JSON text, so that no digit is lost. */
  output: string;
  runText: string;
  branch?: string | undefined;
}

/** Draft runs execute negative versions: the negated revision of the draft. Published versions start at 1. */
export const versionOfDraft = (revision: number): number => -revision;

/** Below it are copies of published versions, for the runs that runs of drafts call: what these do outside is captured, too. */
const TESTS_BELOW = -1_000_000_000;
/** The version of a run that a run of a draft calls. */
export const versionOfTest = (publishedVersion: number): number => TESTS_BELOW - publishedVersion;

/**
 * The draft's revision that a run executes; 0 for one of a published version that a run of a draft called; null for any other run
 * of a published version.
 */
export function draftRevisionOf(version: number): number | null {
  if (version > 0) return null;
  return version < TESTS_BELOW ? 0 : -version;
}

/** The published version that a run executes; null for a run of a draft. */
export function publishedVersionOf(version: number): number | null {
  if (version > 0) return version;
  return version < TESTS_BELOW ? TESTS_BELOW - version : null;
}

/** The version that a run executes, from its published version and the revision of its draft. */
export function executedVersion(run: { version: number | null; draftRevision: number | null }): number {
  if (run.version === null) return versionOfDraft(run.draftRevision ?? 0);
  return run.draftRevision === 0 ? versionOfTest(run.version) : run.version;
}

/** Where an effect goes; undefined: it is captured. */
function letThrough(
  { sendTo, callsServices }: DraftRunOptions,
  target: EffectTarget,
): { person: string } | undefined {
  if (target.kind === 'person') return sendTo === null ? undefined : { person: sendTo };
  return target.kind === 'service' && callsServices ? { person: '' } : undefined;
}

/**
 * Guards the side effects of one execution in a draft run. An executor that does not describe its effect cannot have one: the
 * record before its request is refused.
 */
export function guardSideEffects(
  options: DraftRunOptions,
  effects: SideEffects,
  capture: (shown: JsonValue) => void,
): SideEffects {
  let isLetThrough = false;
  return {
    changeOutside: async (effect, act) => {
      const passage = letThrough(options, effect.target);
      if (!passage) {
        capture(effect.shown());
        return effect.instead();
      }
      isLetThrough = true;
      try {
        return await act(passage.person);
      } finally {
        isLetThrough = false;
      }
    },
    recordSideEffect: () => {
      if (isLetThrough) return effects.recordSideEffect();
      const message = 'This task changes something outside that a run of the draft does not let through.';
      return Promise.reject(new TaskError('not_in_draft_runs', message));
    },
    withdrawSideEffect: () => effects.withdrawSideEffect(),
  };
}

/**
 * Which tasks of an earlier run need no execution when a run starts at a task: those that succeeded and are not after it. A
 * task inside loops restarts its outermost loop.
 * @param graph of the new run
 * @param outcomes of the earlier run's tasks outside loops
 */
export function listKeptTasks(
  graph: CompiledGraph,
  fromTaskId: number,
  outcomes: ReadonlyMap<number, 'succeeded' | 'skipped'>,
): number[] {
  const from = graph.nodes.get(fromTaskId);
  const start = from?.loops[0] ?? fromTaskId;
  const kept = new Set<number>();
  const after = new Set([start]);
  for (const node of inOrder(graph)) {
    const { id } = node.task;
    const parents = node.parents.map((edge) => edge.from);
    if (parents.some((parent) => after.has(parent))) after.add(id);
    if (after.has(id)) continue;
    const isBehindKept = parents.every((parent) => kept.has(parent) || outcomes.get(parent) === 'skipped');
    const loop = node.loops[0];
    const isDone = loop === undefined ? outcomes.get(id) === 'succeeded' && isBehindKept : kept.has(loop);
    if (isDone) kept.add(id);
  }
  return [...kept];
}

/** Loops before their bodies, parents before children. */
function inOrder(graph: CompiledGraph, scope = 0): GraphNode[] {
  return (graph.scopes.get(scope) ?? []).flatMap((node) => [node, ...inOrder(graph, node.task.id)]);
}
