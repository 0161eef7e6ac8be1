// All commands of the editor, each as a function from one document to the next.
import { edgeKey, entersLoop } from '#lib/engine/graph.ts';
import type { WorkflowEdge, WorkflowNote, WorkflowTask } from '#lib/engine/graph-types.ts';
import { findTaskKind, isTriggerType } from '#lib/tasks/kinds.ts';
import { findOffer } from '#lib/tasks/offers.ts';
import { findConnectProblem, followExits } from './connect.ts';
import { type CanvasDocument, findTask, findTrigger, type Point } from './document.ts';
import { exitsOf } from '#lib/tasks/exits.ts';
import { freePlace, makeRoom, makeRoomBelow, placeAfter } from './place.ts';
import { taskSize } from './task-size.ts';

/** Position of a new task: free on the canvas, after an exit, or on an edge. */
export type Spot =
  | { kind: 'free'; at: Point }
  | { kind: 'after'; from: number; branch: string | undefined }
  | { kind: 'between'; edge: WorkflowEdge };

/** Adds an offer (lib/tasks/offers.ts) as a task with a new id, connected according to its spot. */
export function addTask(document: CanvasDocument, id: number, offerId: string, spot: Spot): CanvasDocument {
  const offer = findOffer(offerId);
  const task = {
    id,
    type: offer?.type ?? offerId,
    name: freeName(document, offer?.name ?? offerId),
    settings: structuredClone(offer?.settings ?? {}),
  };
  const { height } = taskSize(task);
  if (spot.kind === 'free')
    return withTask(document, { ...task, position: freePlace(document, spot.at, height) });
  if (spot.kind === 'after') {
    const { from, branch } = spot;
    const position = placeAfter(document, from, branch, height);
    return withEdges(withTask(document, { ...task, position }), toEdge(from, id, branch));
  }
  const { from, to, branch } = spot.edge;
  const room = makeRoom(disconnect(document, [edgeKey(spot.edge)]), to, height);
  const next = withTask(room.document, { ...task, position: room.at });
  const exit = exitsOf(task)[0]?.branch;
  return withEdges(next, toEdge(from, id, branch), toEdge(id, to, exit));
}

/** Adds an edge, if it is allowed (`findConnectProblem`). */
export function connect(
  document: CanvasDocument,
  from: number,
  to: number,
  branch: string | undefined,
): CanvasDocument {
  const edge = toEdge(from, to, branch);
  return findConnectProblem(document, edge) === undefined ? withEdges(document, edge) : document;
}

/** Removes edges by their `edgeKey`. */
export function disconnect(document: CanvasDocument, keys: readonly string[]): CanvasDocument {
  const edges = document.edges.filter((edge) => !keys.includes(edgeKey(edge)));
  return edges.length === document.edges.length ? document : { ...document, edges };
}

/** Removes tasks (never the trigger) and notes; where a task had one edge in and one out, its neighbors are connected. */
export function removeItems(
  document: CanvasDocument,
  taskIds: readonly number[],
  noteIds: readonly string[] = [],
): CanvasDocument {
  const removable = taskIds.filter((id) => {
    const task = findTask(document, id);
    return task !== undefined && !isTriggerType(task.type);
  });
  let { edges } = document;
  for (const id of removable) edges = bridge(edges, id, document);
  const tasks = document.tasks.filter((task) => !removable.includes(task.id));
  const notes = document.notes.filter((note) => !noteIds.includes(note.id));
  return { ...document, tasks, edges, notes };
}

function bridge(
  edges: readonly WorkflowEdge[],
  id: number,
  document: CanvasDocument,
): readonly WorkflowEdge[] {
  const rest = edges.filter((edge) => edge.from !== id && edge.to !== id);
  const [into, ...othersIn] = edges.filter((edge) => edge.to === id);
  const [out, ...othersOut] = edges.filter((edge) => edge.from === id);
  if (!into || !out || othersIn.length > 0 || othersOut.length > 0 || entersLoop(out)) return rest;
  const joined = toEdge(into.from, out.to, into.branch);
  return findConnectProblem({ ...document, edges: rest }, joined) === undefined ? [...rest, joined] : rest;
}

export function updateTask(
  document: CanvasDocument,
  id: number,
  change: Partial<Omit<WorkflowTask, 'id' | 'type'>>,
): CanvasDocument {
  const next = mapTasks(document, [id], (task) => withoutUndefined({ ...task, ...change }));
  return 'on_failure' in change ? makeRoomBelow(document, dropExitless(next, id), id) : next;
}

/** Moves edges to the exits that result from the settings, and makes room for these exits. */
export function updateSettings(
  document: CanvasDocument,
  id: number,
  settings: Record<string, unknown>,
): CanvasDocument {
  const task = findTask(document, id);
  if (!task) return document;
  const next = mapTasks(document, [id], () => ({ ...task, settings }));
  const followed = followExits(next, id, exitsOf(task), exitsOf({ ...task, settings }));
  return makeRoomBelow(document, followed, id);
}

/**
 * Starts the workflow with a trigger of another type. Its id stays, and so its variables, connections and position; and its name,
 * unless that is the default.
 * @param settings of the new type
 */
export function changeTrigger(
  document: CanvasDocument,
  type: string,
  settings: WorkflowTask['settings'],
): CanvasDocument {
  const trigger = findTrigger(document);
  if (!trigger) return document;
  const isNamed = trigger.name !== findTaskKind(trigger.type)?.name;
  const rest = { ...document, tasks: document.tasks.filter((task) => task !== trigger) };
  const name = isNamed ? trigger.name : freeName(rest, findTaskKind(type)?.name ?? type);
  const next = mapTasks(document, [trigger.id], (task) => ({ ...task, type, name, settings }));
  return makeRoomBelow(document, next, trigger.id);
}

/** Disables the tasks, or enables them when all are disabled; a trigger cannot be disabled. */
export function toggleDisabled(document: CanvasDocument, ids: readonly number[]): CanvasDocument {
  const chosen = ids.filter((id) => {
    const task = findTask(document, id);
    return task !== undefined && !isTriggerType(task.type);
  });
  const disable = chosen.some((id) => findTask(document, id)?.disabled !== true);
  return mapTasks(document, chosen, ({ disabled: _disabled, ...task }) =>
    disable ? { ...task, disabled: true } : task,
  );
}

/** New positions by task id and note id, after dragging. */
export function moveItems(
  document: CanvasDocument,
  tasks: ReadonlyMap<number, Point>,
  notes: ReadonlyMap<string, Point> = new Map(),
): CanvasDocument {
  return {
    ...document,
    tasks: document.tasks.map((task) => {
      const position = tasks.get(task.id);
      return position ? { ...task, position } : task;
    }),
    notes: document.notes.map((note) => {
      const position = notes.get(note.id);
      return position ? { ...note, position } : note;
    }),
  };
}

export const addNote = (document: CanvasDocument, note: WorkflowNote): CanvasDocument => ({
  ...document,
  notes: [...document.notes, note],
});

export const updateNote = (document: CanvasDocument, id: string, text: string): CanvasDocument => ({
  ...document,
  notes: document.notes.map((note) => (note.id === id ? { ...note, text } : note)),
});

/** An unused name: "Delay", then "Delay 2". */
export function freeName({ tasks }: CanvasDocument, wanted: string): string {
  const taken = new Set(tasks.map((task) => task.name));
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted} ${number}`)) number += 1;
  return `${wanted} ${number}`;
}

function dropExitless(document: CanvasDocument, id: number): CanvasDocument {
  const task = findTask(document, id);
  if (!task) return document;
  const branches = exitsOf(task).map(({ branch }) => branch);
  const edges = document.edges.filter((edge) => edge.from !== id || branches.includes(edge.branch));
  return edges.length === document.edges.length ? document : { ...document, edges };
}

function mapTasks(
  document: CanvasDocument,
  ids: readonly number[],
  change: (task: WorkflowTask) => WorkflowTask,
): CanvasDocument {
  return {
    ...document,
    tasks: document.tasks.map((task) => (ids.includes(task.id) ? change(task) : task)),
  };
}

const withTask = (document: CanvasDocument, task: WorkflowTask): CanvasDocument => ({
  ...document,
  tasks: [...document.tasks, task],
});

const withEdges = (document: CanvasDocument, ...edges: WorkflowEdge[]): CanvasDocument => ({
  ...document,
  edges: [...document.edges, ...edges],
});

const toEdge = (from: number, to: number, branch: string | undefined): WorkflowEdge =>
  branch === undefined ? { from, to } : { from, to, branch };

function withoutUndefined(task: WorkflowTask): WorkflowTask {
  return Object.fromEntries(
    Object.entries(task).filter(([, value]) => value !== undefined),
  ) as unknown as WorkflowTask;
}
