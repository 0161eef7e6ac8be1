// Copied tasks as text, so that they can be pasted into other workflows, windows and chats.
import type { WorkflowEdge, WorkflowNote, WorkflowTask } from '#lib/engine/graph-types.ts';
import { findTaskKind, isTriggerType } from '#lib/tasks/kinds.ts';
import { freeName } from './commands.ts';
import { type CanvasDocument, findTrigger, type Point, rewriteReferences } from './document.ts';
import { findFreeShift } from './place.ts';

/** Copied tasks, edges and notes; `readFragment` parses them. */
export interface Fragment {
  patchbay: 'tasks';
  /** The trigger of the original workflow: its variables are renamed to the other trigger's. */
  trigger_id?: number | undefined;
  tasks: WorkflowTask[];
  edges: WorkflowEdge[];
  notes: WorkflowNote[];
}

/** The selected tasks, the edges between them and the selected notes; undefined when nothing can be copied. */
export function copyItems(
  document: CanvasDocument,
  taskIds: ReadonlySet<number>,
  noteIds: ReadonlySet<string> = new Set(),
): Fragment | undefined {
  const tasks = document.tasks.filter((task) => taskIds.has(task.id) && !isTriggerType(task.type));
  const notes = document.notes.filter((note) => noteIds.has(note.id));
  if (tasks.length + notes.length === 0) return undefined;
  const copied = new Set(tasks.map((task) => task.id));
  const edges = document.edges.filter(({ from, to }) => copied.has(from) && copied.has(to));
  const trigger = findTrigger(document);
  return { patchbay: 'tasks', ...(trigger ? { trigger_id: trigger.id } : {}), tasks, edges, notes };
}

export interface Pasted {
  document: CanvasDocument;
  taskIds: number[];
  noteIds: string[];
  nextTaskId: number;
}

/**
 * Adds a fragment's tasks under new ids, with its top left corner at a point (left out: where it was copied) or, where they
 * would cover something, at the nearest position below or to the right. Variables of copied tasks, or of the original
 * trigger, refer to the new ones; unknown task types are left out.
 */
export function pasteFragment(
  document: CanvasDocument,
  fragment: Fragment,
  options: { nextTaskId: number; at?: Point | undefined; newNoteId: () => string },
): Pasted {
  const { nextTaskId, newNoteId } = options;
  const known = fragment.tasks.filter((task) => findTaskKind(task.type)?.isTrigger === false);
  const newIds = new Map(known.map((task, index) => [task.id, nextTaskId + index]));
  const trigger = findTrigger(document);
  const renamed = new Map(newIds);
  if (fragment.trigger_id !== undefined && trigger) renamed.set(fragment.trigger_id, trigger.id);
  const origin = topLeft([...known, ...fragment.notes]);
  const { at = origin } = options;
  const move = (position: Point = origin): Point => ({
    x: Math.round(position.x - origin.x + at.x),
    y: Math.round(position.y - origin.y + at.y),
  });
  const placed = known.map((task) => ({ ...task, position: move(task.position) }));
  const placedNotes = fragment.notes.map((note) => ({ ...note, position: move(note.position) }));
  const shift = findFreeShift(document, { tasks: placed, notes: placedNotes });
  const free = ({ x, y }: Point): Point => ({ x: x + shift.x, y: y + shift.y });
  let next = document;
  for (const task of placed) {
    const pasted: WorkflowTask = {
      ...task,
      id: newIds.get(task.id) ?? task.id,
      name: freeName(next, task.name),
      settings: rewriteReferences(task.settings, renamed),
      position: free(task.position),
    };
    next = { ...next, tasks: [...next.tasks, pasted] };
  }
  const edges = fragment.edges.flatMap((edge): WorkflowEdge[] => {
    const from = newIds.get(edge.from);
    const to = newIds.get(edge.to);
    return from === undefined || to === undefined ? [] : [{ ...edge, from, to }];
  });
  const notes = placedNotes.map(({ text, position }): WorkflowNote => ({
    id: newNoteId(),
    text,
    position: free(position),
  }));
  return {
    document: { ...next, edges: [...next.edges, ...edges], notes: [...next.notes, ...notes] },
    taskIds: [...newIds.values()],
    noteIds: notes.map((note) => note.id),
    nextTaskId: nextTaskId + known.length,
  };
}

function topLeft(items: readonly { position?: Point | undefined }[]): Point {
  const placed = items.flatMap(({ position }) => position ?? []);
  if (placed.length === 0) return { x: 0, y: 0 };
  return { x: Math.min(...placed.map(({ x }) => x)), y: Math.min(...placed.map(({ y }) => y)) };
}
