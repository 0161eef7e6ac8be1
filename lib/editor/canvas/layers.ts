// The columns of a workflow from left to right, and the order of tasks in each, with as few crossings as possible. Exits are
// ports: two edges of one task that leave in the wrong order cross, too.
import type { WorkflowEdge, WorkflowTask } from '#lib/engine/graph-types.ts';
import { exitsOf } from '#lib/tasks/exits.ts';

// The order within columns: by barycenters of neighbors, then by swaps, keeping the order of exits.

/** A task, or the lane of an edge that passes a column. */
export interface Placed {
  task: WorkflowTask | undefined;
  column: number;
  parents: Link[];
  children: Link[];
}

export interface Link {
  from: Placed;
  to: Placed;
  /** The index of the exit among those of its task. */
  exit: number;
}

const MAX_ROUNDS = 12;

/** Orders the tasks of each column, alternating between both directions, while crossings decrease. */
function uncross(layers: Placed[][]): void {
  let best = layers.map((layer) => [...layer]);
  let fewest = countCrossings(layers);
  for (let round = 0; round < MAX_ROUNDS && fewest > 0; round += 1) {
    const isForward = round % 2 === 0;
    for (const layer of isForward ? layers : [...layers].reverse())
      sortByNeighbours(layers, layer, isForward);
    transpose(layers);
    const crossings = countCrossings(layers);
    if (crossings >= fewest) continue;
    fewest = crossings;
    best = layers.map((layer) => [...layer]);
  }
  layers.splice(0, layers.length, ...best);
}

function sortByNeighbours(layers: readonly Placed[][], layer: Placed[], isForward: boolean): void {
  const column = layer[0]?.column ?? 0;
  const places = placesOf(layers[isForward ? column - 1 : column + 1] ?? []);
  const wanted = new Map(
    layer.map((each, index) => {
      const links = isForward ? each.parents : each.children;
      const sum = links.reduce(
        (total, { from, to, exit }) =>
          total + (isForward ? (places.get(from) ?? 0) + portShare(from, exit) : (places.get(to) ?? 0)),
        0,
      );
      return [each, links.length === 0 ? index : sum / links.length];
    }),
  );
  layer.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
  keepExits(layer);
}

/** Exits of one task are closer together than tasks. */
const portShare = (from: Placed, exit: number): number => exit / (from.children.length + exit + 1);

/** Swaps neighbors while that removes crossings. */
function transpose(layers: readonly Placed[][]): void {
  for (let hasChanged = true, rounds = 0; hasChanged && rounds < MAX_ROUNDS; rounds += 1) {
    hasChanged = false;
    for (const layer of layers) {
      const before = placesOf(layers[(layer[0]?.column ?? 0) - 1] ?? []);
      const after = placesOf(layers[(layer[0]?.column ?? 0) + 1] ?? []);
      for (let index = 0; index + 1 < layer.length; index += 1) {
        const [upper, lower] = [layer[index], layer[index + 1]];
        if (!upper || !lower || isSetByExits(upper, lower)) continue;
        const gain = crossingsOf(upper, lower, before, after) - crossingsOf(lower, upper, before, after);
        if (gain <= 0) continue;
        [layer[index], layer[index + 1]] = [lower, upper];
        hasChanged = true;
      }
    }
  }
}

/** Crossings between the edges of two neighbors, the first above the second. */
function crossingsOf(
  upper: Placed,
  lower: Placed,
  before: ReadonlyMap<Placed, number>,
  after: ReadonlyMap<Placed, number>,
): number {
  let count = 0;
  for (const a of upper.parents)
    for (const b of lower.parents) if (compareStarts(a, b, before) > 0) count += 1;
  for (const a of upper.children)
    for (const b of lower.children) if ((after.get(a.to) ?? 0) > (after.get(b.to) ?? 0)) count += 1;
  return count;
}

const compareStarts = (a: Link, b: Link, places: ReadonlyMap<Placed, number>): number =>
  (places.get(a.from) ?? 0) - (places.get(b.from) ?? 0) || (a.from === b.from ? a.exit - b.exit : 0);

/** Number of crossing pairs of edges between adjacent columns. */
export function countCrossings(layers: readonly Placed[][]): number {
  let count = 0;
  for (const [column, layer] of layers.entries()) {
    const [before, here] = [placesOf(layers[column - 1] ?? []), placesOf(layer)];
    const links = layer.flatMap(({ parents }) => parents).sort((a, b) => compareStarts(a, b, before));
    for (const [index, a] of links.entries())
      for (const b of links.slice(index + 1))
        if (compareStarts(a, b, before) < 0 && (here.get(a.to) ?? 0) > (here.get(b.to) ?? 0)) count += 1;
  }
  return count;
}

const onlyParent = ({ parents }: Placed): Placed | undefined =>
  parents.length === 1 ? parents[0]?.from : undefined;

const isSetByExits = (a: Placed, b: Placed): boolean => {
  const parent = onlyParent(a);
  return parent !== undefined && parent === onlyParent(b);
};

/** Tasks with only one parent are in the order of its exits. */
function keepExits(layer: Placed[]): void {
  const siblings = Map.groupBy(layer, onlyParent);
  for (const [parent, group] of siblings) {
    if (!parent || group.length < 2) continue;
    const places = group.map((each) => layer.indexOf(each));
    const ordered = [...group].sort((a, b) => (a.parents[0]?.exit ?? 0) - (b.parents[0]?.exit ?? 0));
    ordered.forEach((each, index) => {
      const place = places[index];
      if (place !== undefined) layer[place] = each;
    });
  }
}

const placesOf = (layer: readonly Placed[]): Map<Placed, number> =>
  new Map(layer.map((each, index) => [each, index]));

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
