// Finds the variable texts in a task's settings by the schema's metadata, so that there is no other list of them.
import type * as z from 'zod';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { type CompiledGraph, compileGraph, type GraphNode, listTasksBefore } from '#lib/engine/graph.ts';
import { VariableSyntaxError } from '#lib/variables/errors.ts';
import { parseVariableText } from '#lib/variables/parse.ts';
import { listReferences, type Reference } from '#lib/variables/references.ts';
import { isStatusField, parseTaskName } from '#lib/variables/task-names.ts';
import { writePath } from '#lib/variables/variable-names.ts';
import { isRecord, listMarkedFields } from './marked-fields.ts';
import { findTaskDefinition } from './registry.ts';
import type { FieldMeta } from './task-definition.ts';

/** A variable text in a task's settings. */
interface VariableField {
  /** Such as `settings.conditions[0].left`. */
  path: string;
  text: string;
  /** `{{1}}`, `{{2}}` … are the platform's placeholders here. */
  keepPlaceholders: boolean;
}

/** Every variable text in settings, which may be a draft's: incomplete or partly invalid. */
export function listVariableFields(schema: z.ZodType, settings: unknown): VariableField[] {
  const fields: VariableField[] = [];
  for (const { path, value, meta } of listMarkedFields(schema, settings, 'variables'))
    addTexts(value, path.reduce<string>(joinPath, 'settings'), meta, (field) => fields.push(field));
  return fields;
}

/** `base.key` or `base[0]`. */
export const joinPath = (base: string, key: PropertyKey): string =>
  typeof key === 'number' ? `${base}[${key}]` : `${base}.${String(key)}`;

/** In a field that may be any JSON, every string is a variable text. */
function addTexts(value: unknown, path: string, meta: FieldMeta, add: (field: VariableField) => void): void {
  if (typeof value === 'string') add({ path, text: value, keepPlaceholders: meta.keepPlaceholders ?? false });
  else if (Array.isArray(value))
    value.forEach((each, index) => addTexts(each, joinPath(path, index), meta, add));
  else if (isRecord(value)) {
    for (const [key, each] of Object.entries(value)) addTexts(each, joinPath(path, key), meta, add);
  }
}

/** The names that a task's setting refers to; none when it is invalid (`checkSettings` reports that). */
export function referencesOf({ text, keepPlaceholders }: VariableField): Reference[] {
  if (!text.includes('{{')) return [];
  try {
    return listReferences(parseVariableText(text, { keepPlaceholders }));
  } catch (error) {
    if (error instanceof VariableSyntaxError) return [];
    throw error;
  }
}

/** A field of the webhook's body that tasks require. */
export interface PayloadUse {
  /** As written between braces, without the trigger's name: `phone`, `customer.name`. */
  label: string;
  /** The text between braces, by segments: `task_1_phone`, or `task_1` with `JSON`, `customer`, `name`. */
  segments: readonly string[];
  /** In the workflow's order. */
  tasks: { id: number; name: string }[];
}

/**
 * The fields of the body that a workflow's tasks require. Left out: fields in blocks or with a default, those that conditions
 * test, and those that an earlier condition has tested: there the workflow handles a missing field.
 * @param graph a valid graph
 */
export function listPayloadUses(graph: WorkflowGraph): PayloadUse[] {
  const compiled = compileGraph(graph);
  const uses = new Map<string, PayloadUse>();
  for (const { id } of graph.tasks) {
    const node = compiled.nodes.get(id);
    if (!node || node.task.disabled || findTaskDefinition(node.task.type)?.asksVariables) continue;
    const asked = askedBefore(compiled, node);
    for (const { label, segments, isGuarded } of bodyReferences(compiled, node)) {
      if (isGuarded || asked.has(label)) continue;
      const use = uses.get(label) ?? { label, segments, tasks: [] };
      uses.set(label, use);
      if (use.tasks.at(-1)?.id !== id) use.tasks.push({ id, name: node.task.name });
    }
  }
  return [...uses.values()];
}

function bodyReferences({ triggerId }: CompiledGraph, { task }: GraphNode) {
  const definition = findTaskDefinition(task.type);
  if (!definition) return [];
  return listVariableFields(definition.settings, task.settings).flatMap((field) =>
    referencesOf(field).flatMap(({ name, path, isGuarded }) => {
      const inBody = bodyPath(name, path, triggerId, task.id === triggerId);
      return inBody ? [{ label: writePath(inBody), segments: [name, ...path], isGuarded }] : [];
    }),
  );
}

/** The rest of a path after the trigger's name; undefined when it is not a field of the body. */
function bodyPath(
  name: string,
  path: readonly string[],
  triggerId: number,
  isTrigger: boolean,
): string[] | undefined {
  const parsed = parseTaskName(name);
  if (!parsed) return isTrigger && !name.startsWith('$') ? [name, ...path] : undefined;
  if (parsed.taskId !== triggerId) return undefined;
  if (parsed.field === undefined) return path[0] === 'JSON' && path.length > 1 ? path.slice(1) : undefined;
  return isStatusField(parsed.field) ? undefined : [parsed.field, ...path];
}

function askedBefore(graph: CompiledGraph, node: GraphNode): Set<string> {
  const asked = new Set<string>();
  for (const parent of listTasksBefore(graph, node)) {
    if (!findTaskDefinition(parent.task.type)?.asksVariables) continue;
    for (const { label } of bodyReferences(graph, parent)) asked.add(label);
  }
  return asked;
}
