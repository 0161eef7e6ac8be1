// Finds variables that nothing provides. They render as nothing, so these are warnings: a draft may be half drawn.
import type { CompiledGraph, GraphNode } from '#lib/engine/graph.ts';
import { createVisibility, type WhyHidden } from '#lib/engine/visibility.ts';
import type { Problem } from '#lib/core/errors.ts';
import type { Reference } from '#lib/variables/references.ts';
import { parseTaskName, SECRET_NAME, SYSTEM_NAMES, taskName } from '#lib/variables/task-names.ts';
import { findMissingField } from './find-missing-field.ts';
import { findTaskDefinition } from './registry.ts';
import { referencesOf } from './references-of.ts';
import { listVariableFields } from './variable-fields.ts';

export interface UnknownVariable extends Problem {
  /** The first name of the variable that nothing provides, such as `task_3_output`. */
  variable: string;
}

/**
 * Warns of every variable in a task's settings that nothing provides: of an unknown task, of one that does not come
 * before it, or a field that its output does not have.
 * @param graph a valid graph (`compileGraph`).
 * @returns paths start with `settings`, as in `settings.conditions[0].left`; texts that cannot be read are left out
 *   (`checkSettings` reports them).
 */
export function checkReferences(graph: CompiledGraph, taskId: number): UnknownVariable[] {
  const reader = graph.nodes.get(taskId);
  const definition = reader && findTaskDefinition(reader.task.type);
  if (!definition) return [];
  const check = new ReferenceCheck(graph, reader);
  return listVariableFields(definition.settings, reader.task.settings).flatMap((field) => {
    const found = referencesOf(field).flatMap((reference) => {
      const message = check.findProblem(reference);
      return message === undefined ? [] : [{ path: field.path, message, variable: reference.name }];
    });
    return [...new Map(found.map((each) => [each.message, each])).values()];
  });
}

const titled = ({ task }: GraphNode): string => `"${task.name}" (task ${task.id})`;

class ReferenceCheck {
  readonly #graph: CompiledGraph;
  readonly #reader: GraphNode;
  readonly #whyHidden: (target: GraphNode) => WhyHidden | undefined;

  constructor(graph: CompiledGraph, reader: GraphNode) {
    this.#graph = graph;
    this.#reader = reader;
    this.#whyHidden = createVisibility(graph, reader);
  }

  get #isTrigger(): boolean {
    return this.#reader.task.id === this.#graph.triggerId;
  }

  findProblem({ name, path }: Reference): string | undefined {
    if ((SYSTEM_NAMES as readonly string[]).includes(name)) return undefined;
    // `checkSettings` says where a secret may stand.
    if (name === SECRET_NAME) return undefined;
    const parsed = parseTaskName(name);
    if (!parsed) return this.#isTrigger ? undefined : this.#unknownName(name);
    const { taskId, field } = parsed;
    const target = this.#graph.nodes.get(taskId);
    // The trigger's response also sees the body's own fields, which may be called anything.
    if (!target) return this.#isTrigger ? undefined : `{{${name}}}: no task has the ID ${taskId}.`;
    const reason = this.#whyNotSeen(target) ?? findMissingField(target, this.#reader, field, path);
    return reason === undefined ? undefined : `{{${[name, ...path].join('.')}}}: ${reason}`;
  }

  #unknownName(name: string): string {
    if (name.startsWith('$')) return `{{${name}}}: the only built-in variables are {{$now}} and {{$date}}.`;
    const example = `{{${taskName(this.#graph.triggerId, name)}}}`;
    return `{{${name}}}: there is no variable with this name. A field of the webhook's body is written ${example}.`;
  }

  #whyNotSeen(target: GraphNode): string | undefined {
    // The trigger's response may come after the workflow, which then sees every task.
    if (this.#isTrigger) return undefined;
    switch (this.#whyHidden(target)) {
      case 'itself':
        return 'a task cannot use its own output.';
      case 'in_another_loop':
        return `${titled(target)} is inside a loop: only tasks in the same loop can use its output.`;
      case 'not_before':
        return `${titled(target)} does not come before this task.`;
      case 'disabled':
        return `${titled(target)} is disabled: it has no output.`;
      case undefined:
        return undefined;
    }
  }
}
