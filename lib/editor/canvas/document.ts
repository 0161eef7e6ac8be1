// The editor's document: a workflow's name and graph as immutable plain data.
import type { WorkflowEdge, WorkflowGraph, WorkflowNote, WorkflowTask } from '#lib/engine/graph-types.ts';
import { toCurrentTasks } from '#lib/tasks/current-shape.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';
import { replaceTaskIds } from '#lib/variables/task-names.ts';

export interface CanvasDocument {
  readonly name: string;
  readonly tasks: readonly WorkflowTask[];
  readonly edges: readonly WorkflowEdge[];
  readonly notes: readonly WorkflowNote[];
}

export interface Point {
  x: number;
  y: number;
}

export function toDocument({ name, tasks, edges, notes }: WorkflowGraph & { name: string }): CanvasDocument {
  return { name, tasks: toCurrentTasks(tasks), edges, notes: notes ?? [] };
}

export const toGraph = ({ tasks, edges, notes }: CanvasDocument): WorkflowGraph => ({
  tasks: [...tasks],
  edges: [...edges],
  notes: [...notes],
});

export const findTask = (document: CanvasDocument, id: number): WorkflowTask | undefined =>
  document.tasks.find((task) => task.id === id);

/** Undefined while the document has none. */
export const findTrigger = (document: Pick<CanvasDocument, 'tasks'>): WorkflowTask | undefined =>
  document.tasks.find(({ type }) => isTriggerType(type));

const TAG = /\{\{[\s\S]*?\}\}/g;

/** Settings with other task ids in the variables of all texts: for tasks that were copied under new ids. */
export function rewriteReferences<Value>(value: Value, newIds: ReadonlyMap<number, number>): Value {
  return rewrite(value, newIds) as Value;
}

function rewrite(value: unknown, newIds: ReadonlyMap<number, number>): unknown {
  if (typeof value === 'string') return value.includes('{{') ? rewriteText(value, newIds) : value;
  if (Array.isArray(value)) return value.map((each) => rewrite(each, newIds));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rewrite(each, newIds)]));
}

const rewriteText = (text: string, newIds: ReadonlyMap<number, number>): string =>
  text.replace(TAG, (tag) => replaceTaskIds(tag, (id) => newIds.get(id)));

/**
 * The draft after restoring a version. The version's notes are restored; later notes stay, because no version has them and
 * only people read them.
 */
export function restoreVersion(
  version: WorkflowGraph & { name: string },
  draft: Pick<CanvasDocument, 'notes'>,
): CanvasDocument {
  const restored = toDocument(version);
  const known = new Set(restored.notes.map(({ id }) => id));
  return { ...restored, notes: [...restored.notes, ...draft.notes.filter(({ id }) => !known.has(id))] };
}

/** All texts in a JSON value, such as a task's settings; numbers as written. */
export function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listTexts);
}
