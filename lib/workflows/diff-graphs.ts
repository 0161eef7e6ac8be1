// What publishing the draft would change, including notes: positions do not count.
import type { z } from 'zod';
import {
  onFailureOf,
  type WorkflowEdge,
  type WorkflowGraph,
  type WorkflowNote,
  type WorkflowTask,
} from '#lib/engine/graph-types.ts';
import { isSameJson } from '#lib/core/json/stringify-json.ts';
import { edgeKey } from '#lib/engine/graph.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { findExit } from '#lib/tasks/exits.ts';

export interface TaskChange {
  task: WorkflowTask;
  /** Labels of the changed settings. */
  fields: string[];
}

export interface GraphDiff {
  added: WorkflowTask[];
  removed: WorkflowTask[];
  changed: TaskChange[];
  /** In words: `"Order" → "Send text" (True)`. */
  connected: string[];
  disconnected: string[];
  /** As they are now; `removedNotes` as they were. */
  addedNotes: WorkflowNote[];
  changedNotes: WorkflowNote[];
  removedNotes: WorkflowNote[];
}

type Shape = Readonly<Record<string, z.ZodType | undefined>>;
interface Graph {
  tasks: readonly WorkflowTask[];
  edges: readonly WorkflowEdge[];
  notes?: WorkflowGraph['notes'] | readonly WorkflowNote[];
}

/** Changes from the published workflow to the draft. */
export function diffGraphs(draft: Graph, published: Graph): GraphDiff {
  const before = new Map(published.tasks.map((task) => [task.id, task]));
  const after = new Map(draft.tasks.map((task) => [task.id, task]));
  const changed = [...after.values()].flatMap((task): TaskChange[] => {
    const old = before.get(task.id);
    const fields = old ? changedFields(task, old) : [];
    return fields.length > 0 ? [{ task, fields }] : [];
  });
  return {
    added: [...after.values()].filter((task) => !before.has(task.id)),
    removed: [...before.values()].filter((task) => !after.has(task.id)),
    changed,
    connected: edgesOnlyIn(draft, published),
    disconnected: edgesOnlyIn(published, draft),
    ...diffNotes(draft.notes ?? [], published.notes ?? []),
  };
}

function diffNotes(
  after: readonly WorkflowNote[],
  before: readonly WorkflowNote[],
): Pick<GraphDiff, 'addedNotes' | 'changedNotes' | 'removedNotes'> {
  const now = new Map(after.map((note) => [note.id, note]));
  const then = new Map(before.map((note) => [note.id, note]));
  const isChanged = ({ id, text }: WorkflowNote): boolean => then.has(id) && then.get(id)?.text !== text;
  return {
    addedNotes: after.filter(({ id }) => !then.has(id)),
    changedNotes: after.filter(isChanged),
    removedNotes: before.filter(({ id }) => !now.has(id)),
  };
}

export const countChanges = (diff: GraphDiff): number =>
  (Object.values(diff) as unknown[][]).reduce((sum, list) => sum + list.length, 0);

/** Whether publishing the draft would create a new version. */
export const hasChanges = (diff: GraphDiff): boolean => countChanges(diff) > 0;

function changedFields(task: WorkflowTask, old: WorkflowTask): string[] {
  const fields: string[] = [];
  if (task.name !== old.name) fields.push('Name');
  if (task.type !== old.type) fields.push('Type');
  const [now, then] = [completeSettings(task), completeSettings(old)];
  for (const key of new Set([...Object.keys(now), ...Object.keys(then)]))
    if (!isSameJson(now[key], then[key])) fields.push(titleOf(task, key));
  if (onFailureOf(task) !== onFailureOf(old)) fields.push('If the task fails');
  if (task.if_interrupted !== old.if_interrupted) fields.push('When it was interrupted');
  if (task.max_attempts !== old.max_attempts) fields.push('Attempts');
  if ((task.disabled ?? false) !== (old.disabled ?? false))
    fields.push(task.disabled ? 'Disabled' : 'Enabled');
  return fields;
}

/** A missing setting equals its default, which publishing fills in. */
function completeSettings({ type, settings }: WorkflowTask): Record<string, unknown> {
  const schema = findTaskDefinition(type)?.settings;
  if (!schema) return settings;
  const complete: Record<string, unknown> = { ...settings };
  for (const [name, field] of Object.entries<z.ZodType | undefined>(schema.shape)) {
    const result = field?.safeParse(settings[name]);
    if (result?.success && result.data !== undefined) complete[name] = result.data;
  }
  return complete;
}

function titleOf({ type }: WorkflowTask, key: string): string {
  const shape: Shape | undefined = findTaskDefinition(type)?.settings.shape;
  return shape?.[key]?.meta()?.title ?? key;
}

function edgesOnlyIn(one: Graph, other: Graph): string[] {
  const known = new Set(other.edges.map(edgeKey));
  const tasks = new Map(one.tasks.map((task) => [task.id, task]));
  return one.edges
    .filter((edge) => !known.has(edgeKey(edge)))
    .map(({ from, to, branch }) => {
      const exit = branch === undefined ? '' : ` (${findExit(tasks.get(from), branch).label})`;
      return `"${tasks.get(from)?.name ?? from}" → "${tasks.get(to)?.name ?? to}"${exit}`;
    });
}
