import { Graph, layout } from '@dagrejs/dagre';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { CanvasDocument, Point } from './document.ts';
import { exitsOf } from './exits.ts';
import { taskSize } from './task-size.ts';

const BETWEEN_TASKS_PX = 36;
export const BETWEEN_RANKS_PX = 96;

/** Where every task goes when the drawing is put in order from left to right, top left corners by task id. */
export function layOut({ tasks, edges }: Pick<CanvasDocument, 'tasks' | 'edges'>): Map<number, Point> {
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

/** The document with every task somewhere: drawings that came through the API may have no positions. */
export function withPositions(document: CanvasDocument): CanvasDocument {
  if (document.tasks.every((task) => task.position)) return document;
  const places = layOut(document);
  const tasks = document.tasks.map((task) => ({ ...task, position: places.get(task.id) }));
  return { ...document, tasks };
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
