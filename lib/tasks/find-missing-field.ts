import * as z from 'zod';
import type { GraphNode } from '#lib/engine/graph.ts';
import { isStatusField } from '#lib/variables/task-names.ts';
import { findTaskDefinition } from './registry.ts';
import type { TaskDefinition } from './task-definition.ts';

type Fields = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Why a task's output has no such field, as far as its definition knows; undefined when it has or may have it.
 * @param field what follows `task_<id>_`; undefined for `task_<id>` alone.
 * @param path the segments behind the name, such as `JSON`, `items`, `0`.
 */
export function findMissingField(
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

function findMissingMember({ isTrigger }: TaskDefinition, member: string | undefined): string | undefined {
  if (member === undefined || (member === 'HEADERS' && isTrigger)) return undefined;
  return isTrigger ? 'write .JSON or .HEADERS after the task.' : 'write .JSON after the task.';
}

/** Undefined when the output may have any field. */
function fieldsOf(definition: TaskDefinition, settings: Record<string, unknown>): Fields | undefined {
  const schemas = [definition.outputs, ...(definition.outputsFrom ? [definition.outputsFrom(settings)] : [])];
  const isOpen = schemas.some(
    ({ def }) => def.catchall !== undefined && !(def.catchall instanceof z.ZodNever),
  );
  return isOpen ? undefined : (Object.assign({}, ...schemas.map(({ shape }) => shape as Fields)) as Fields);
}

/** A field by its own name, or something inside one that has an inside. */
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
