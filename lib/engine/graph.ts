// A version's graph, indexed for the engine: who follows whom, and which loops are around each task.
import { EACH_BRANCH, type WorkflowEdge, type WorkflowGraph, type WorkflowTask } from './graph-types.ts';

export interface GraphNode {
  task: WorkflowTask;
  parents: WorkflowEdge[];
  children: WorkflowEdge[];
  /** Ids of the loops around the task, outermost first. */
  loops: number[];
}

export interface CompiledGraph {
  nodes: Map<number, GraphNode>;
  /** The tasks of each scope in topological order; the key is the innermost loop, 0 for the root. */
  scopes: Map<number, GraphNode[]>;
  trigger: GraphNode;
  triggerId: number;
}

export const ROOT_SCOPE = 0;

/** Whether an edge leads from a loop into its body. */
export const entersLoop = ({ branch }: Pick<WorkflowEdge, 'branch'>): boolean => branch === EACH_BRANCH;

/** Identifies an edge in its graph: between two tasks there may be one for each exit. */
export const edgeKey = ({ from, to, branch }: WorkflowEdge): string => `${from}:${branch ?? ''}>${to}`;

/** The edge of an `edgeKey`. */
export function parseEdgeKey(key: string): WorkflowEdge {
  const [, from, branch = '', to] = /^(\d+):(.*)>(\d+)$/.exec(key) ?? [];
  const ends = { from: Number(from), to: Number(to) };
  return branch === '' ? ends : { ...ends, branch };
}

/**
 * Indexes a valid graph (see `validateGraph`). Runs in time linear in tasks and edges.
 * @throws Error when the graph has no trigger or a cycle: versions are validated before they are stored.
 */
export function compileGraph(graph: WorkflowGraph): CompiledGraph {
  const nodes = indexNodes(graph);
  const order = topologicalOrder(nodes);
  const trigger = order.find((node) => node.parents.length === 0);
  if (!trigger || order.length < nodes.size)
    throw new Error('The graph was not validated before it was stored.');
  const scopes = new Map<number, GraphNode[]>([[ROOT_SCOPE, []]]);
  for (const node of order) {
    node.loops = loopsAround(node, nodes);
    const scope = node.loops.at(-1) ?? ROOT_SCOPE;
    const members = scopes.get(scope);
    if (members) members.push(node);
    else scopes.set(scope, [node]);
  }
  return { nodes, scopes, trigger, triggerId: trigger.task.id };
}

/** Tasks and edges by id; edges that name no task are left out. */
export function indexNodes(graph: WorkflowGraph): Map<number, GraphNode> {
  const nodes = new Map<number, GraphNode>();
  for (const task of graph.tasks) nodes.set(task.id, { task, parents: [], children: [], loops: [] });
  for (const edge of graph.edges) {
    const from = nodes.get(edge.from);
    const to = nodes.get(edge.to);
    if (!from || !to) continue;
    from.children.push(edge);
    to.parents.push(edge);
  }
  return nodes;
}

/** Parents before children; tasks on a cycle are missing from the answer. */
export function topologicalOrder(nodes: Map<number, GraphNode>): GraphNode[] {
  const open = new Map<number, number>();
  const queue: GraphNode[] = [];
  for (const node of nodes.values()) {
    open.set(node.task.id, node.parents.length);
    if (node.parents.length === 0) queue.push(node);
  }
  for (let next = 0; next < queue.length; next += 1) {
    for (const edge of queue[next]?.children ?? []) {
      const left = (open.get(edge.to) ?? 0) - 1;
      open.set(edge.to, left);
      const child = nodes.get(edge.to);
      if (left === 0 && child) queue.push(child);
    }
  }
  return queue;
}

/**
 * Ids of the tasks that can be reached from the trigger, itself included. Works while a graph is edited, too: with cycles,
 * several triggers or none.
 */
export function findReached(
  nodes: ReadonlyMap<number, GraphNode>,
  isTrigger: (task: WorkflowTask) => boolean,
): Set<number> {
  const triggers = [...nodes.values()].filter(({ task }) => isTrigger(task));
  const reached = new Set(triggers.map(({ task }) => task.id));
  for (const id of reached) for (const { to } of nodes.get(id)?.children ?? []) reached.add(to);
  return reached;
}

/** The tasks and edges of a graph that can be reached from its trigger. */
export function reachedPart(
  graph: WorkflowGraph,
  isTrigger: (task: WorkflowTask) => boolean,
): { tasks: WorkflowTask[]; edges: WorkflowEdge[] } {
  const reached = findReached(indexNodes(graph), isTrigger);
  return {
    tasks: graph.tasks.filter(({ id }) => reached.has(id)),
    edges: graph.edges.filter(({ from, to }) => reached.has(from) && reached.has(to)),
  };
}

/** The loops that an edge's child is in, seen from that edge; its parent's `loops` must be known. */
export function loopsThrough(edge: WorkflowEdge, nodes: Map<number, GraphNode>): number[] {
  const parent = nodes.get(edge.from);
  const outer = parent?.loops ?? [];
  return entersLoop(edge) ? [...outer, edge.from] : outer;
}

function loopsAround(node: GraphNode, nodes: Map<number, GraphNode>): number[] {
  const first = node.parents[0];
  return first ? loopsThrough(first, nodes) : [];
}

// Which tasks' outputs a task can read (docs/variables.md): those before it that are in no loop, or only in loops around it.

/** Whether every loop around the target is around the reader too, so that there is one iteration of it to read. */
export const sharesLoops = (target: GraphNode, reader: GraphNode): boolean =>
  target.loops.every((loop, depth) => reader.loops[depth] === loop);

/** All tasks that lead to a task, nearest first, disabled ones included. */
export function listTasksBefore(graph: CompiledGraph, reader: GraphNode): GraphNode[] {
  const before = new Set<GraphNode>([reader]);
  for (const node of before) {
    for (const { from } of node.parents) {
      const parent = graph.nodes.get(from);
      if (parent) before.add(parent);
    }
  }
  before.delete(reader);
  return [...before];
}

/**
 * What reads the results of a task: its own output, and what the tasks inside it gave in the pass of the loop that has just
 * ended. @param isLoop a loop without tasks has passes, too.
 */
export function afterTask(graph: CompiledGraph, node: GraphNode, isLoop: boolean): GraphNode {
  const { task, loops } = node;
  const inside = graph.scopes.get(task.id);
  const from = [task.id, ...(inside ?? []).map((each) => each.task.id)];
  return {
    task,
    parents: from.map((id) => ({ from: id, to: task.id })),
    children: [],
    loops: isLoop ? [...loops, task.id] : loops,
  };
}

export type WhyHidden = 'itself' | 'in_another_loop' | 'not_before' | 'disabled';

/** Explains for one task why it cannot read another; undefined where it can. */
export function createVisibility(
  graph: CompiledGraph,
  reader: GraphNode,
): (target: GraphNode) => WhyHidden | undefined {
  const before = new Set(listTasksBefore(graph, reader));
  return (target) => {
    if (target === reader) return 'itself';
    if (!sharesLoops(target, reader)) return 'in_another_loop';
    if (!before.has(target)) return 'not_before';
    return target.task.disabled === true ? 'disabled' : undefined;
  };
}
