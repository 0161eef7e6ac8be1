// The columns of a workflow from left to right, and the order of tasks in each, with as few crossings as possible. Exits are
// ports: two edges of one task that leave in the wrong order cross, too.
import type { WorkflowEdge, WorkflowTask } from '#lib/engine/graph-types.ts';
import { exitsOf } from '#lib/tasks/exits.ts';
import { uncross } from './order-layers.ts';
import type { Link, Placed } from './placed.ts';

/** Columns from left to right, each from top to bottom. Edges of missing tasks, and those that close a cycle, are ignored. */
export function toLayers(tasks: readonly WorkflowTask[], edges: readonly WorkflowEdge[]): Placed[][] {
  const byId = new Map(
    tasks.map((task): [number, Placed] => [task.id, { task, column: 0, parents: [], children: [] }]),
  );
  const links = forwardEdges(tasks, edges).flatMap(({ from, to, branch }) => {
    const [parent, child] = [byId.get(from), byId.get(to)];
    if (!parent?.task || !child) return [];
    const exit = exitsOf(parent.task).findIndex((each) => each.branch === branch);
    return [{ from: parent, to: child, exit }];
  });
  links.sort((a, b) => a.exit - b.exit);
  for (const link of links) {
    link.from.children.push(link);
    link.to.parents.push(link);
  }
  setColumns([...byId.values()]);
  const lanes = links.flatMap(addLanes);
  const layers = inOrderOfWays([...byId.values()], lanes);
  uncross(layers);
  return layers;
}

/** Edges without those that close a cycle. */
function forwardEdges(tasks: readonly WorkflowTask[], edges: readonly WorkflowEdge[]): WorkflowEdge[] {
  const leaving = Map.groupBy(edges, ({ from }) => from);
  const state = new Map<number, 'open' | 'done'>();
  const back = new Set<WorkflowEdge>();
  for (const { id } of tasks) {
    if (state.has(id)) continue;
    const path: { id: number; next: number }[] = [{ id, next: 0 }];
    state.set(id, 'open');
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const edge = leaving.get(top.id)?.[top.next];
      top.next += 1;
      if (!edge) {
        state.set(top.id, 'done');
        path.pop();
      } else if (state.get(edge.to) === 'open') back.add(edge);
      else if (!state.has(edge.to)) {
        state.set(edge.to, 'open');
        path.push({ id: edge.to, next: 0 });
      }
    }
  }
  return edges.filter((edge) => !back.has(edge));
}

/** One column after the last parent, so that the children of one task are in one column. */
function setColumns(placed: readonly Placed[]): void {
  const waiting = new Map(placed.map((each) => [each, each.parents.length]));
  const ready = placed.filter(({ parents }) => parents.length === 0);
  for (const each of ready) {
    for (const { to } of each.children) {
      to.column = Math.max(to.column, each.column + 1);
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
}

/** Adds lanes to an edge that passes columns, one in each. */
function addLanes(link: Link): Placed[] {
  const lanes: Placed[] = [];
  const { to } = link;
  let last = link;
  for (let column = link.from.column + 1; column < to.column; column += 1) {
    const lane: Placed = { task: undefined, column, parents: [last], children: [] };
    last.to = lane;
    last = { from: lane, to, exit: 0 };
    lane.children.push(last);
    lanes.push(lane);
  }
  to.parents = to.parents.map((each) => (each === link ? last : each));
  return lanes;
}

/** Depth-first from the start, exits from first to last: workflows that only branch and join have no crossings. */
function inOrderOfWays(tasks: readonly Placed[], lanes: readonly Placed[]): Placed[][] {
  const layers: Placed[][] = [];
  const seen = new Set<Placed>();
  const starts = [...tasks].filter(({ parents }) => parents.length === 0);
  const waiting = [...starts, ...tasks, ...lanes].reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    (layers[next.column] ??= []).push(next);
    for (const { to } of [...next.children].reverse()) waiting.push(to);
  }
  return layers;
}
