// An edge back to an earlier task would be a cycle, which no workflow has. What it is drawn for can be done in two ways: a task
// repeats itself, or a loop around the tasks between repeats them until a condition is met.
import { EACH_BRANCH, type WorkflowEdge, type WorkflowTask } from '#lib/engine/graph-types.ts';
import { edgeKey, entersLoop } from '#lib/engine/graph.ts';
import { exitsOf } from '#lib/tasks/exits.ts';
import { findTaskKind, isTriggerType, TASK_KINDS } from '#lib/tasks/kinds.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';
import { replaceTaskIds } from '#lib/variables/task-names.ts';
import { freeName, updateSettings } from './commands.ts';
import { tasksAfter } from './connect.ts';
import { type CanvasDocument, findTask, listTexts } from './document.ts';
import { makeRoom } from './place.ts';
import { taskSize } from './task-size.ts';

export type RepeatOffer =
  | { kind: 'itself'; edge: WorkflowEdge; label: string; summary: string; field: string }
  | {
      kind: 'around';
      edge: WorkflowEdge;
      /** The tasks that the loop repeats. */
      inside: number[];
      /** Those that come after it. */
      next: number[];
    };

/** What an edge can be replaced by that leads back to an earlier task, or to its own; undefined: nothing, or it leads forward. */
export function findRepeatOffer(document: CanvasDocument, edge: WorkflowEdge): RepeatOffer | undefined {
  const from = findTask(document, edge.from);
  const to = findTask(document, edge.to);
  if (!from || !to || isTriggerType(to.type)) return undefined;
  if (!exitsOf(from).some(({ branch }) => branch === edge.branch)) return undefined;
  if (from === to) {
    const own = findTaskKind(from.type)?.repeatsItself;
    if (own && own.branch === edge.branch) {
      const { label, summary, field } = own;
      return { kind: 'itself', edge, label, summary, field };
    }
  } else if (!tasksAfter(document.edges, to.id).has(from.id)) return undefined;
  return findLoopOffer(document, edge, from);
}

function findLoopOffer(
  document: CanvasDocument,
  edge: WorkflowEdge,
  from: WorkflowTask,
): RepeatOffer | undefined {
  const { edges } = document;
  const all = new Set([edge.to, ...tasksAfter(edges, edge.to)]);
  // An edge would leave the body of a loop that it does not lead into.
  const leavesBody = edges.some(
    (each) =>
      entersLoop(each) &&
      all.has(each.from) &&
      (each.to === from.id || tasksAfter(edges, each.to).has(from.id)),
  );
  if (leavesBody || entersLoop(edge)) return undefined;
  const onwards = edges.filter((each) => each.from === from.id && !entersLoop(each));
  const after = new Set(onwards.flatMap(({ to }) => [to, ...tasksAfter(edges, to)]));
  const between = new Set([...all].filter((id) => !after.has(id)));
  const inside = canEndWith(document, between, from) ? between : all;
  const isEntered = edges.some(
    (each) => !inside.has(each.from) && inside.has(each.to) && each.to !== edge.to,
  );
  if (isEntered) return undefined;
  const next = inside === between ? [...new Set(onwards.map(({ to }) => to))] : [];
  return { kind: 'around', edge, inside: [...inside], next };
}

/**
 * Whether the loop can end with this task, so that what follows comes after the loop: every pass reaches it, it continues by
 * one exit only, and nothing later reads what the tasks inside gave. Otherwise what follows is repeated, too, which is
 * exactly what the edge would have done.
 */
function canEndWith(document: CanvasDocument, inside: ReadonlySet<number>, last: WorkflowTask): boolean {
  const { tasks, edges } = document;
  const leaves = (id: number): boolean => edges.some(({ from, to }) => from === id && !inside.has(to));
  const isStraight = tasks.every(
    (task) => !inside.has(task.id) || task === last || (exitsOf(task).length === 1 && !leaves(task.id)),
  );
  const exits = new Set(edges.filter(({ from }) => from === last.id).map(({ branch }) => branch));
  const isRead = tasks.some(({ id, settings }) => !inside.has(id) && readsAny(settings, inside));
  return isStraight && exits.size <= 1 && !isRead && !exits.has(EACH_BRANCH);
}

function readsAny(settings: unknown, ids: ReadonlySet<number>): boolean {
  let found = false;
  for (const text of listTexts(settings))
    replaceTaskIds(text, (id) => {
      found ||= ids.has(id);
      return undefined;
    });
  return found;
}

/** Does what was offered. @param id of the loop */
export function repeat(document: CanvasDocument, id: number, offer: RepeatOffer): CanvasDocument {
  const from = findTask(document, offer.edge.from);
  const kind = from && findTaskKind(from.type);
  if (!from) return document;
  if (offer.kind === 'itself') {
    const settings = kind?.repeatsItself?.turnOn(from.settings);
    return settings ? updateSettings(document, from.id, settings) : document;
  }
  const loop = findLoopKind();
  if (!loop?.loopUntil) return document;
  const task = {
    id,
    type: loop.type,
    name: freeName(document, loop.name),
    settings: loop.loopUntil.settings(kind?.conditionUnless?.(from, offer.edge.branch)),
  };
  const room = makeRoom(document, offer.edge.to, taskSize(task).height);
  return {
    ...room.document,
    tasks: [...room.document.tasks, { ...task, position: room.at }],
    edges: wrap(document.edges, id, { ...offer, done: loop.loopUntil.done }),
  };
}

const findLoopKind = (): TaskKind | undefined =>
  [...TASK_KINDS.values()].find(({ loopUntil }) => loopUntil !== undefined);

function wrap(
  edges: readonly WorkflowEdge[],
  loop: number,
  { edge: { from, to: first }, inside, next, done }: RepeatOffer & { kind: 'around' } & { done: string },
): WorkflowEdge[] {
  const isIn = (id: number): boolean => inside.includes(id);
  const kept = edges.flatMap((edge): WorkflowEdge[] => {
    if (edge.to === first && !isIn(edge.from)) return [{ ...edge, to: loop }];
    return edge.from === from && !isIn(edge.to) ? [] : [edge];
  });
  const added = [
    { from: loop, to: first, branch: EACH_BRANCH },
    ...next.map((to) => ({ from: loop, to, branch: done })),
  ];
  return [...new Map([...kept, ...added].map((edge) => [edgeKey(edge), edge])).values()];
}
