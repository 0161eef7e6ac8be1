// The editor's document: a workflow's name and graph as immutable plain data.
import type { WorkflowEdge, WorkflowGraph, WorkflowNote, WorkflowTask } from '#lib/engine/graph-types.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';

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
  return { name, tasks, edges, notes: notes ?? [] };
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
