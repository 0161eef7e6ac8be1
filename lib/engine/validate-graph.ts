import type { Problem } from '#lib/core/errors.ts';
import {
  FAILED_BRANCH,
  takesFailedBranch,
  type WorkflowEdge,
  type WorkflowGraph,
  type WorkflowTask,
} from './graph-types.ts';
import { edgeKey, findReached, type GraphNode, indexNodes, loopsThrough, topologicalOrder } from './graph.ts';

/** What the validation needs to know of a task type; undefined for an unknown type. */
export type DescribeTask = (task: WorkflowTask) =>
  | {
      isTrigger: boolean;
      /** Without one that is not optional the task has the plain exit, too. */
      branches: readonly { name: string; isOptional?: true }[];
    }
  | undefined;

/**
 * Lists everything that makes a graph invalid: unknown types and ids, no trigger or two, cycles, unreachable tasks, missing
 * branches, edges that leave a loop's body (docs/api.md).
 */
export function validateGraph(graph: WorkflowGraph, describe: DescribeTask): Problem[] {
  const problems = [...checkIds(graph), ...checkTypes(graph, describe), ...checkEdges(graph, describe)];
  if (problems.length > 0) return problems;
  const nodes = indexNodes(graph);
  const order = topologicalOrder(nodes);
  if (order.length < nodes.size) return checkCycles(graph, order);
  return [...checkReach(graph, nodes, describe), ...checkLoops(graph, order, nodes)];
}

/** A task as messages name it. */
export const titled = (task: Pick<WorkflowTask, 'id' | 'name'>): string => `"${task.name}" (task ${task.id})`;

function checkIds(graph: WorkflowGraph): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<number>();
  graph.tasks.forEach((task, index) => {
    if (seen.has(task.id)) {
      problems.push({
        path: `tasks[${index}].id`,
        message: `The id ${task.id} is used twice: each task needs its own.`,
      });
    }
    seen.add(task.id);
  });
  return problems;
}

function checkTypes(graph: WorkflowGraph, describe: DescribeTask): Problem[] {
  const problems: Problem[] = [];
  const triggers: number[] = [];
  graph.tasks.forEach((task, index) => {
    const type = describe(task);
    if (!type)
      problems.push({ path: `tasks[${index}].type`, message: `There is no task type "${task.type}".` });
    if (type?.isTrigger) triggers.push(index);
  });
  if (triggers.length === 0) {
    problems.push({
      path: 'tasks',
      message: 'A workflow needs a trigger: add an inbound webhook trigger as its first task.',
    });
  }
  for (const index of triggers.slice(1)) {
    problems.push({
      path: `tasks[${index}]`,
      message: 'A workflow has one trigger only: remove this second one.',
    });
  }
  return problems;
}

function checkEdges(graph: WorkflowGraph, describe: DescribeTask): Problem[] {
  const problems: Problem[] = [];
  const tasks = new Map(graph.tasks.map((task) => [task.id, task]));
  const seen = new Set<string>();
  graph.edges.forEach((edge, index) => {
    const path = `edges[${index}]`;
    const from = tasks.get(edge.from);
    const to = tasks.get(edge.to);
    if (!from) problems.push({ path: `${path}.from`, message: `There is no task ${edge.from}.` });
    if (!to) problems.push({ path: `${path}.to`, message: `There is no task ${edge.to}.` });
    const key = edgeKey(edge);
    if (seen.has(key)) problems.push({ path, message: 'This edge exists twice: remove one.' });
    seen.add(key);
    if (to && describe(to)?.isTrigger)
      problems.push({ path: `${path}.to`, message: 'The trigger cannot have incoming connections.' });
    if (from) problems.push(...checkBranch(edge, from, path, describe));
  });
  return problems;
}

function checkBranch(
  edge: WorkflowEdge,
  from: WorkflowTask,
  path: string,
  describe: DescribeTask,
): Problem[] {
  const type = describe(from);
  if (!type) return [];
  const hasFailures = takesFailedBranch(from);
  const optional = type.branches.filter(({ isOptional }) => isOptional === true).map(({ name }) => name);
  const own = type.branches.map(({ name }) => name).filter((name) => hasFailures || !optional.includes(name));
  const exits = hasFailures ? [...own, FAILED_BRANCH] : own;
  if (edge.branch === undefined) {
    if (type.branches.every(({ isOptional }) => isOptional === true)) return [];
    return [
      {
        path: `${path}.branch`,
        message: `${titled(from)} has several branches: set branch to one of ${exits.join(', ')}.`,
      },
    ];
  }
  if (exits.includes(edge.branch)) return [];
  const fix =
    edge.branch === FAILED_BRANCH
      ? 'set its on_failure to "branch" to add a failed branch'
      : optional.includes(edge.branch)
        ? 'set its on_failure to "branch" to add it'
        : exits.length > 0
          ? `it has ${exits.join(', ')}`
          : 'leave the branch out';
  return [{ path: `${path}.branch`, message: `${titled(from)} has no branch "${edge.branch}": ${fix}.` }];
}

function checkCycles(graph: WorkflowGraph, order: GraphNode[]): Problem[] {
  const ordered = new Set(order.map((node) => node.task.id));
  const stuck = graph.tasks.filter((task) => !ordered.has(task.id)).map(titled);
  return [
    {
      path: 'edges',
      message: `These tasks form a cycle: ${stuck.join(', ')}. Use a Loop task to repeat.`,
    },
  ];
}

function checkReach(graph: WorkflowGraph, nodes: Map<number, GraphNode>, describe: DescribeTask): Problem[] {
  const reached = findReached(nodes, (task) => describe(task)?.isTrigger === true);
  return graph.tasks.flatMap((task, index) =>
    reached.has(task.id)
      ? []
      : [
          {
            path: `tasks[${index}]`,
            message: `${titled(task)} cannot be reached from the trigger: connect it or remove it.`,
          },
        ],
  );
}

function checkLoops(graph: WorkflowGraph, order: GraphNode[], nodes: Map<number, GraphNode>): Problem[] {
  const problems: Problem[] = [];
  const indexOf = new Map<WorkflowEdge, number>(graph.edges.map((edge, index) => [edge, index]));
  for (const node of order) {
    const [first, ...others] = node.parents;
    node.loops = first ? loopsThrough(first, nodes) : [];
    for (const edge of others) {
      if (loopsThrough(edge, nodes).join() === node.loops.join()) continue;
      const message = `${titled(node.task)} joins branches from inside and outside a loop: connect what follows the loop to its "done" branch.`;
      problems.push({ path: `edges[${indexOf.get(edge) ?? 0}]`, message });
    }
  }
  return problems;
}
