// Finds variables that nothing provides. They render as nothing, so these are warnings: a draft may be half drawn.
import type { CompiledGraph, GraphNode } from '#lib/engine/graph.ts';
import type { Problem } from '#lib/errors.ts';
import type { Reference } from '#lib/variables/references.ts';
import { findMissingField } from './find-missing-field.ts';
import { findTaskDefinition } from './registry.ts';
import { referencesOf } from './references-of.ts';
import { listVariableFields } from './variable-fields.ts';

const GLOBAL_NAMES = ['$now', '$date'];
const TASK_NAME = /^task_(0|[1-9]\d{0,14})(?:_([\s\S]+))?$/;

/**
 * Warns of every variable in a task's settings that nothing provides: of an unknown task, of one that does not come
 * before it, or a field that its output does not have.
 * @param graph a valid graph (`compileGraph`).
 * @returns paths start with `settings`, as in `settings.conditions[0].left`; texts that cannot be read are left out
 *   (`checkSettings` reports them).
 */
export function checkReferences(graph: CompiledGraph, taskId: number): Problem[] {
  const reader = graph.nodes.get(taskId);
  const definition = reader && findTaskDefinition(reader.task.type);
  if (!definition) return [];
  const check = new ReferenceCheck(graph, reader);
  return listVariableFields(definition.settings, reader.task.settings).flatMap((field) => {
    const messages = referencesOf(field).flatMap((reference) => check.findProblem(reference) ?? []);
    return [...new Set(messages)].map((message) => ({ path: field.path, message }));
  });
}

const titled = ({ task }: GraphNode): string => `"${task.name}" (task ${task.id})`;

class ReferenceCheck {
  readonly #graph: CompiledGraph;
  readonly #reader: GraphNode;
  readonly #before: ReadonlySet<number>;

  constructor(graph: CompiledGraph, reader: GraphNode) {
    this.#graph = graph;
    this.#reader = reader;
    this.#before = tasksBefore(graph, reader);
  }

  get #isTrigger(): boolean {
    return this.#reader.task.id === this.#graph.triggerId;
  }

  findProblem({ name, path }: Reference): string | undefined {
    if (GLOBAL_NAMES.includes(name)) return undefined;
    const [, id, field] = TASK_NAME.exec(name) ?? [];
    if (id === undefined) return this.#isTrigger ? undefined : this.#unknownName(name);
    const target = this.#graph.nodes.get(Number(id));
    // The trigger's response also sees the body's own fields, which may be called anything.
    if (!target) return this.#isTrigger ? undefined : `{{${name}}}: there is no task ${id}.`;
    const reason = this.#whyNotSeen(target) ?? findMissingField(target, this.#reader, field, path);
    return reason === undefined ? undefined : `{{${[name, ...path].join('.')}}}: ${reason}`;
  }

  #unknownName(name: string): string {
    if (name.startsWith('$')) return `{{${name}}}: there are only {{$now}} and {{$date}}.`;
    const example = `{{task_${this.#graph.triggerId}_${name}}}`;
    return `{{${name}}}: nothing has this name here; a field of the webhook's body is ${example}.`;
  }

  #whyNotSeen(target: GraphNode): string | undefined {
    const { id } = target.task;
    const reader = this.#reader;
    if (this.#isTrigger) return undefined;
    if (id === reader.task.id) return 'a task does not see its own output.';
    if (target.loops.some((loop) => !reader.loops.includes(loop))) {
      return `${titled(target)} is inside a loop: only tasks inside the same loop see its output.`;
    }
    if (!this.#before.has(id)) return `${titled(target)} does not come before this task.`;
    return target.task.disabled ? `${titled(target)} is disabled: it has no output.` : undefined;
  }
}

function tasksBefore(graph: CompiledGraph, node: GraphNode): Set<number> {
  const before = new Set<number>();
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const { from } of next.parents) {
      const parent = graph.nodes.get(from);
      if (!parent || before.has(from)) continue;
      before.add(from);
      open.push(parent);
    }
  }
  return before;
}
