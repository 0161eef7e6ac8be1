// Which loops may run several items at the same time: those whose tasks finish in one go. One that waited would keep an item
// open for as long, and others behind it from beginning.
import type { Problem } from '#lib/core/errors.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { entersLoop, type GraphNode, indexNodes } from '#lib/engine/graph.ts';
import { titled } from '#lib/engine/validate-graph.ts';
import { isLoop } from './exits.ts';
import { waitsAt } from './kinds.ts';
import { isShownField } from './picks.ts';
import { findTaskDefinition } from './registry.ts';

/**
 * A problem for each loop that is set to run several items at the same time while a task in it waits, or is a loop. Only
 * publishing refuses it; works while a graph is edited, too.
 */
export function checkItemsAtOnce({ tasks, edges }: WorkflowGraph): (Problem & { task: WorkflowTask })[] {
  const problems: (Problem & { task: WorkflowTask })[] = [];
  let nodes: Map<number, GraphNode> | undefined;
  for (const task of tasks) {
    const setting = findTaskDefinition(task.type)?.itemsAtOnceSetting;
    if (setting === undefined || !(Number(task.settings[setting]) > 1)) continue;
    if (!isShownField(task, setting)) continue;
    nodes ??= indexNodes({ tasks, edges });
    const reasons = listInside(nodes, task.id).flatMap(findReason);
    if (reasons.length === 0) continue;
    const message = `Only tasks that finish without waiting can run for several items at once: ${reasons.join(', ')}. Set this to 1, or move ${reasons.length === 1 ? 'it' : 'them'} out of the loop.`;
    problems.push({ task, path: `settings.${setting}`, message });
  }
  return problems;
}

/** The tasks inside a loop: everything that its items lead to. */
function listInside(nodes: ReadonlyMap<number, GraphNode>, loopId: number): WorkflowTask[] {
  const first = nodes.get(loopId)?.children.filter(entersLoop) ?? [];
  const inside = new Set(first.map(({ to }) => to));
  for (const id of inside) for (const { to } of nodes.get(id)?.children ?? []) inside.add(to);
  inside.delete(loopId);
  return [...inside].flatMap((id) => nodes.get(id)?.task ?? []);
}

function findReason(task: WorkflowTask): string[] {
  const definition = findTaskDefinition(task.type);
  if (!definition || task.disabled) return [];
  if (waitsAt(task)) return [`${titled(task)} waits`];
  return isLoop(task) ? [`${titled(task)} is a loop`] : [];
}
