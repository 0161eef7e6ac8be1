import { Graph, layout } from '@dagrejs/dagre';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { CanvasDocument, Point } from './document.ts';
import { exitsOf } from '#lib/tasks/exits.ts';
import { moveItems } from './commands.ts';
import { freePlace, placeAfter } from './place.ts';
import { BETWEEN_RANKS_PX, TASK_WIDTH_PX, taskSize } from './task-size.ts';

const BETWEEN_TASKS_PX = 36;

/** Where every task goes when the workflow is put in order from left to right, top left corners by task id. */
function layOut({ tasks, edges }: Pick<CanvasDocument, 'tasks' | 'edges'>): Map<number, Point> {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: BETWEEN_TASKS_PX, ranksep: BETWEEN_RANKS_PX });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const task of tasks) graph.setNode(String(task.id), taskSize(task));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  // Exits from top to bottom: where nothing speaks against it, dagre draws the edge that came last on top.
  const ordered = [...edges].sort((a, b) => a.from - b.from || exitRank(byId, b) - exitRank(byId, a));
  for (const edge of ordered) {
    if (byId.has(edge.from) && byId.has(edge.to))
      graph.setEdge(String(edge.from), String(edge.to), {}, edge.branch ?? 'out');
  }
  layout(graph);
  return new Map(tasks.map((task) => [task.id, topLeft(graph.node(String(task.id)) as Placed)]));
}

/** Puts all tasks in order from left to right. */
export const arrange = (document: CanvasDocument): CanvasDocument => moveItems(document, layOut(document));

/**
 * The document with every task somewhere: workflows that came through the API may have no positions. Tasks that have
 * one keep it; the others go behind what leads to them.
 */
export function withPositions(document: CanvasDocument): CanvasDocument {
  const missing = document.tasks.filter((task) => !task.position);
  if (missing.length === document.tasks.length) return arrange(document);
  let next = document;
  for (const { id } of missing) {
    const into = next.edges.find((edge) => edge.to === id);
    const position = into ? placeAfter(next, into.from, into.branch) : placeBefore(next, id);
    next = moveItems(next, new Map([[id, position]]));
  }
  return next;
}

function placeBefore(document: CanvasDocument, id: number): Point {
  const after = document.edges.find((edge) => edge.from === id)?.to;
  const { x, y } = document.tasks.find((task) => task.id === after)?.position ?? { x: 0, y: 0 };
  return freePlace(document, { x: x - TASK_WIDTH_PX - BETWEEN_RANKS_PX, y });
}

interface Placed {
  x: number;
  y: number;
  width: number;
  height: number;
}

const topLeft = ({ x, y, width, height }: Placed): Point => ({
  x: Math.round(x - width / 2),
  y: Math.round(y - height / 2),
});

function exitRank(
  tasks: ReadonlyMap<number, WorkflowTask>,
  edge: { from: number; branch?: string | undefined },
): number {
  const task = tasks.get(edge.from);
  return task ? exitsOf(task).findIndex(({ branch }) => branch === edge.branch) : 0;
}
