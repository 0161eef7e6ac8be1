// Converts a workflow for React Flow. Unchanged parts stay the same objects, so that they are not rendered again.
import { type Edge, type Node, type NodeHandle, Position } from '@xyflow/react';
import { noteNodeId, splitIds, taskNodeId } from '#components/editor/node-ids.ts';
import { type CanvasDocument, findTrigger } from '#lib/editor/canvas/document.ts';
import { listAnsweringTasks } from '#lib/workflows/graph-paths.ts';
import { placeButtons } from '#lib/editor/canvas/place-buttons.ts';
import type { CanvasProblem } from '#lib/editor/canvas/find-problems.ts';
import { exitTop, IN_TOP_PX, NOTE_SIZE_PX, taskSize } from '#lib/editor/canvas/task-size.ts';
import type { WorkflowNote, WorkflowTask } from '#lib/engine/graph-types.ts';
import { edgeKey } from '#lib/engine/graph.ts';
import type { TaskRunStatus } from '#lib/engine/run-types.ts';
import { type Exit, exitsOf, findExit } from '#lib/tasks/exits.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';
import type { BranchColor } from '#lib/tasks/task-kind.ts';

export type TaskNodeType = Node<
  {
    task: WorkflowTask;
    exits: readonly Exit[];
    /** Unconnected branches, joined by commas, so that the value is stable. */
    openExits: string;
    errors: number;
    warnings: number;
    /** The first problem's message. */
    problem: string | undefined;
    /** Of the run shown on the canvas. */
    status: TaskRunStatus | undefined;
    /** After-workflow callers are answered when the run reaches it. */
    answersHere: boolean;
    /** Runs of the draft do not execute it. */
    isPinned: boolean;
    isRenaming: boolean;
    /** The card that Tab focuses. */
    isTabStop: boolean;
  },
  'task'
>;

export type NoteNodeType = Node<{ note: WorkflowNote }, 'note'>;
export type FlowNode = TaskNodeType | NoteNodeType;

export type ExitEdgeType = Edge<
  {
    color: BranchColor;
    isDimmed: boolean;
    /** The button's position on the edge (place-buttons.ts). */
    buttonAt: number;
  },
  'exit'
>;

export interface FlowInput {
  document: CanvasDocument;
  selection: ReadonlySet<string>;
  selectedEdge?: string | undefined;
  problems?: readonly CanvasProblem[];
  renamingId?: number | undefined;
  pinned?: ReadonlySet<number> | undefined;
  overlay?: Readonly<Record<number, TaskRunStatus>> | undefined;
}

/** @param previous the nodes on the screen, whose measured sizes are kept */
export function toNodes(input: FlowInput, previous: readonly FlowNode[]): FlowNode[] {
  const { document } = input;
  const before = new Map(previous.map((node) => [node.id, node]));
  const openExits = listOpenExits(document);
  const answering = new Set(listAnsweringTasks(document));
  const problems = Map.groupBy(input.problems ?? [], (problem) => problem.taskId);
  const tabStop = splitIds(input.selection).taskIds.at(-1) ?? findTrigger(document)?.id;
  const tasks = document.tasks.map((task) => {
    const found = problems.get(task.id) ?? [];
    const data: TaskNodeType['data'] = {
      task,
      exits: exitsOf(task),
      openExits: openExits.get(task.id) ?? '',
      errors: found.filter(({ severity }) => severity === 'error').length,
      warnings: found.filter(({ severity }) => severity === 'warning').length,
      problem: found[0]?.message,
      status: input.overlay?.[task.id],
      answersHere: answering.has(task.id),
      isPinned: input.pinned?.has(task.id) === true,
      isRenaming: input.renamingId === task.id,
      isTabStop: tabStop === task.id,
    };
    return reuse(toTaskNode(task, data, input.selection), before.get(taskNodeId(task.id)));
  });
  const notes = document.notes.map((note) =>
    reuse(toNoteNode(note, input.selection), before.get(noteNodeId(note.id))),
  );
  return [...notes, ...tasks];
}

function toTaskNode(
  task: WorkflowTask,
  data: TaskNodeType['data'],
  selection: ReadonlySet<string>,
): TaskNodeType {
  const id = taskNodeId(task.id);
  const position = task.position ?? { x: 0, y: 0 };
  const size = taskSize(task);
  return {
    id,
    type: 'task',
    position,
    data,
    selected: selection.has(id),
    ...size,
    // Equals what the browser would measure, which would need a second render of every card before edges are visible.
    measured: size,
    handles: listHandles(task, size.width),
  };
}

const HANDLE_PX = 12;

/** Positions of handles on a card. */
function listHandles(task: WorkflowTask, cardWidth: number): NodeHandle[] {
  const size = { width: HANDLE_PX, height: HANDLE_PX };
  const at = (x: number, y: number) => ({ x: x - HANDLE_PX / 2, y: y - HANDLE_PX / 2, ...size });
  const exits = exitsOf(task).map(({ branch }, index): NodeHandle => ({
    id: handleOf(branch),
    type: 'source',
    position: Position.Right,
    ...at(cardWidth, exitTop(task, index)),
  }));
  const entry: NodeHandle = { id: 'in', type: 'target', position: Position.Left, ...at(0, IN_TOP_PX) };
  return isTriggerType(task.type) ? exits : [entry, ...exits];
}

function toNoteNode(note: WorkflowNote, selection: ReadonlySet<string>): NoteNodeType {
  const id = noteNodeId(note.id);
  return {
    id,
    type: 'note',
    position: note.position,
    data: { note },
    selected: selection.has(id),
    zIndex: -1,
    // Until it is measured: a node without a size cannot be focused.
    initialWidth: NOTE_SIZE_PX.width,
    initialHeight: NOTE_SIZE_PX.height,
  };
}

function reuse<Kept extends FlowNode>(made: Kept, old: FlowNode | undefined): FlowNode {
  if (!old || old.type !== made.type) return made;
  // A dragged node follows the pointer; the document is updated when it is dropped.
  const next = old.dragging ? { ...made, position: old.position, dragging: true } : made;
  const isSame =
    old.selected === next.selected &&
    old.position.x === next.position.x &&
    old.position.y === next.position.y &&
    old.height === next.height &&
    isSameData(old.data, next.data);
  if (isSame) return old;
  return next.measured || !old.measured ? next : { ...next, measured: old.measured };
}

function isSameData(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  // Exits are derived from the task, and the list is created each time.
  return Object.keys(b).every((key) => key === 'exits' || a[key] === b[key]);
}

function listOpenExits(document: CanvasDocument): Map<number, string> {
  const taken = new Set(document.edges.map(({ from, branch }) => `${from}:${branch ?? ''}`));
  return new Map(
    document.tasks.map((task) => [
      task.id,
      exitsOf(task)
        .filter(({ branch }) => !taken.has(`${task.id}:${branch ?? ''}`))
        .map(({ branch }) => branch ?? 'out')
        .join(','),
    ]),
  );
}

/** React Flow's handle id of an exit. */
export const handleOf = (branch: string | undefined): string => branch ?? 'out';
export const branchOf = (handle: string | null | undefined): string | undefined =>
  handle == null || handle === 'out' ? undefined : handle;

export function toEdges(
  { document, selectedEdge, overlay }: FlowInput,
  previous: readonly ExitEdgeType[],
): ExitEdgeType[] {
  const before = new Map(previous.map((edge) => [edge.id, edge]));
  const tasks = new Map(document.tasks.map((task) => [task.id, task]));
  const buttons = placeButtons(document);
  return document.edges.map((edge) => {
    const id = edgeKey(edge);
    const selected = id === selectedEdge;
    const isDimmed = overlay !== undefined && !wasTaken(overlay, edge);
    const old = before.get(id);
    const buttonAt = buttons.get(id) ?? 0.5;
    if (old?.selected === selected && old.data?.isDimmed === isDimmed && old.data.buttonAt === buttonAt)
      return old;
    return {
      id,
      type: 'exit',
      source: taskNodeId(edge.from),
      target: taskNodeId(edge.to),
      sourceHandle: handleOf(edge.branch),
      targetHandle: 'in',
      selected,
      data: { color: findExit(tasks.get(edge.from), edge.branch).color, isDimmed, buttonAt },
    };
  });
}

function wasTaken(
  overlay: Readonly<Record<number, TaskRunStatus>>,
  { from, to }: { from: number; to: number },
): boolean {
  const reached = (status: TaskRunStatus | undefined) => status !== undefined && status !== 'skipped';
  return reached(overlay[from]) && reached(overlay[to]);
}
