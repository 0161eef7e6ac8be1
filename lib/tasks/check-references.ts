// Finds variables that nothing provides. They render as nothing, so these are warnings: a draft may be incomplete.
import * as z from 'zod';
import type { Problem } from '#lib/core/errors.ts';
import {
  afterTask,
  type CompiledGraph,
  createVisibility,
  type GraphNode,
  type WhyHidden,
} from '#lib/engine/graph.ts';
import type { Reference } from '#lib/variables/references.ts';
import {
  isStatusField,
  parseTaskName,
  SECRET_NAME,
  SYSTEM_NAMES,
  taskName,
} from '#lib/variables/task-names.ts';
import { isLoop } from './exits.ts';
import { readsResults } from './marked-fields.ts';
import { findTaskDefinition } from './registry.ts';
import type { TaskDefinition } from './task-definition.ts';
import { listVariableFields, referencesOf } from './variable-fields.ts';

export interface UnknownVariable extends Problem {
  /** The first segment of the unknown variable, such as `task_3_output`. */
  variable: string;
}

/**
 * Warns of every unknown variable in a task's settings: of an unknown task, of one that is not before it, or a field that its
 * output does not have.
 * @param graph a valid graph (`compileGraph`).
 * @returns paths start with `settings`, as in `settings.conditions[0].left`; invalid texts are left out (`checkSettings`
 * reports them).
 */
export function checkReferences(graph: CompiledGraph, taskId: number): UnknownVariable[] {
  const reader = graph.nodes.get(taskId);
  const definition = reader && findTaskDefinition(reader.task.type);
  if (!definition) return [];
  const before = new ReferenceCheck(graph, reader);
  const after = new ReferenceCheck(graph, afterTask(graph, reader, isLoop(reader.task)));
  return listVariableFields(definition.settings, reader.task.settings).flatMap((field) => {
    const check = readsResults(definition, field.path) ? after : before;
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
    // `checkSettings` checks where secrets may be used.
    if (name === SECRET_NAME) return undefined;
    const parsed = parseTaskName(name);
    if (!parsed) return this.#isTrigger ? undefined : this.#unknownName(name);
    const { taskId, field } = parsed;
    const target = this.#graph.nodes.get(taskId);
    // The trigger's response also has the body's own fields, with any name.
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
    // An after-workflow response can use every task.
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

type Fields = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Why a task's output has no such field, according to its definition; undefined when it has or may have it. @param field the
 * part after `task_<id>_`; undefined for `task_<id>` alone.
 * @param path the segments after the name, such as `JSON`, `items`, `0`.
 */
function findMissingField(
  target: GraphNode,
  reader: GraphNode,
  field: string | undefined,
  path: readonly string[],
): string | undefined {
  const definition = findTaskDefinition(target.task.type);
  if (!definition || (field !== undefined && isStatusField(field))) return undefined;
  if (field === undefined && path[0] !== 'JSON') return findMissingMember(definition, path[0]);
  const fields = fieldsOf(definition, target.task.settings);
  const isIn = reader.loops.includes(target.task.id);
  const inside = definition.outputsInside;
  const seen = inside
    ? Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => inside.includes(name) === isIn))
    : fields;
  if (seen === undefined) return undefined;
  const name = field ?? path[1];
  if (name === undefined || (field === undefined ? Object.hasOwn(seen, name) : hasField(seen, name)))
    return undefined;
  const names = Object.keys(seen);
  const where = inside ? (isIn ? ' inside the loop' : ' after the loop') : '';
  const fix = names.length === 0 ? 'it has no fields' : `it has ${names.join(', ')}`;
  return `${definition.name} has no output "${name}"${where}: ${fix}.`;
}

const OF_TRIGGERS = ['HEADERS', 'WEBHOOKS'];

function findMissingMember({ isTrigger }: TaskDefinition, member: string | undefined): string | undefined {
  if (member === undefined || (isTrigger && OF_TRIGGERS.includes(member))) return undefined;
  return isTrigger ? 'write .JSON, .HEADERS or .WEBHOOKS after the task.' : 'write .JSON after the task.';
}

/** Undefined when the output may have any field. */
function fieldsOf(definition: TaskDefinition, settings: Record<string, unknown>): Fields | undefined {
  const schemas = [definition.outputs, ...(definition.outputsFrom ? [definition.outputsFrom(settings)] : [])];
  const isOpen = schemas.some(
    ({ def }) => def.catchall !== undefined && !(def.catchall instanceof z.ZodNever),
  );
  return isOpen ? undefined : (Object.assign({}, ...schemas.map(({ shape }) => shape as Fields)) as Fields);
}

/** A field by its own name, or a value inside an object or list. */
function hasField(fields: Fields, name: string): boolean {
  return Object.entries(fields).some(
    ([field, schema]) => name === field || (name.startsWith(`${field}_`) && !isScalar(schema)),
  );
}

function isScalar(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return isScalar(schema.def.innerType);
  }
  return [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodLiteral].some(
    (scalar) => schema instanceof scalar,
  );
}
