// Groups task runs by the items of loops: pure, for the run's timeline.
import type { TaskRunRow } from '#lib/screens/run-types.ts';

export interface TimelineNode {
  task: TaskRunRow;
  /** For a loop: its items so far, in order. */
  items: TimelineItem[];
}

export interface TimelineItem {
  /** From 0. */
  index: number;
  nodes: TimelineNode[];
}

const keyOf = (taskId: number, iteration: readonly number[]): string => `${taskId}@${iteration.join('.')}`;

/**
 * Nests the task runs of a loop's items under the loop. Those whose loop is missing (on a page that is not loaded) stay at
 * the top. The order stays.
 */
export function groupIterations(tasks: readonly TaskRunRow[]): TimelineNode[] {
  const nodes = new Map(
    tasks.map((task): [string, TimelineNode] => [keyOf(task.taskId, task.iteration), { task, items: [] }]),
  );
  const top: TimelineNode[] = [];
  for (const node of nodes.values()) {
    const { loops, iteration } = node.task;
    const depth = loops.length;
    const loopId = loops[depth - 1];
    const index = iteration[depth - 1];
    const loop = loopId === undefined ? undefined : nodes.get(keyOf(loopId, iteration.slice(0, depth - 1)));
    if (!loop || index === undefined) top.push(node);
    else itemAt(loop, index).nodes.push(node);
  }
  for (const node of nodes.values()) node.items.sort((a, b) => a.index - b.index);
  return top;
}

function itemAt(loop: TimelineNode, index: number): TimelineItem {
  const last = loop.items.at(-1);
  const known = last?.index === index ? last : loop.items.find((item) => item.index === index);
  if (known) return known;
  const item = { index, nodes: [] };
  loop.items.push(item);
  return item;
}

/** The worst status in an item. */
export const statusOfItem = ({ nodes }: TimelineItem): TaskRunRow['status'] =>
  worstStatus(nodes.map(({ task }) => task.status));

const FROM_WORST = ['outcome_unknown', 'failed', 'running', 'waiting', 'cancelled', 'succeeded'] as const;

/** The one that most needs attention. */
const worstStatus = (statuses: readonly TaskRunRow['status'][]): TaskRunRow['status'] =>
  FROM_WORST.find((status) => statuses.includes(status)) ?? 'skipped';

/** The worst status of each task, over all iterations. */
export function toOverlay(tasks: readonly TaskRunRow[]): Record<number, TaskRunRow['status']> {
  const byTask = new Map<number, TaskRunRow['status'][]>();
  for (const { taskId, status } of tasks) byTask.set(taskId, [...(byTask.get(taskId) ?? []), status]);
  return Object.fromEntries([...byTask].map(([taskId, statuses]) => [taskId, worstStatus(statuses)]));
}
