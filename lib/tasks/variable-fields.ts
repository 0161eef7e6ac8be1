// Finds the variable texts in a task's settings by the schema's metadata, so that no list of them is kept elsewhere.
import * as z from 'zod';
import type { FieldMeta } from './task-definition.ts';

/** A variable text in a task's settings. */
export interface VariableField {
  /** Such as `settings.conditions[0].left`. */
  path: string;
  text: string;
  /** `{{1}}`, `{{2}}` … are the platform's placeholders here. */
  keepPlaceholders: boolean;
}

/** Every variable text in settings, which may be a draft's: incomplete or wrong in places. */
export function listVariableFields(schema: z.ZodType, settings: unknown): VariableField[] {
  const fields: VariableField[] = [];
  walk(schema, settings, 'settings', {}, (field) => fields.push(field));
  return fields;
}

/** `base.key` or `base[0]`. */
export const joinPath = (base: string, key: PropertyKey): string =>
  typeof key === 'number' ? `${base}[${key}]` : `${base}.${String(key)}`;

function walk(
  schema: z.core.$ZodType,
  value: unknown,
  path: string,
  outer: FieldMeta,
  add: (field: VariableField) => void,
): void {
  const meta: FieldMeta = { ...outer, ...z.globalRegistry.get(schema) };
  if (meta.variables) return addTexts(value, path, meta, add);
  if (schema instanceof z.ZodObject) {
    if (!isRecord(value)) return;
    for (const [key, field] of Object.entries(schema.shape))
      walk(field as z.ZodType, value[key], joinPath(path, key), {}, add);
  } else if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return;
    value.forEach((element, index) => walk(schema.element, element, joinPath(path, index), {}, add));
  } else if (schema instanceof z.ZodUnion) {
    for (const option of schema.options) walk(option, value, path, {}, add);
  } else if (isWrapper(schema)) {
    walk(schema.def.innerType, value, path, meta, add);
  } else if (schema instanceof z.ZodPipe) {
    walk(schema.in, value, path, meta, add);
  }
}

/** In a field that may be any JSON, every string is a variable text. */
function addTexts(value: unknown, path: string, meta: FieldMeta, add: (field: VariableField) => void): void {
  if (typeof value === 'string') add({ path, text: value, keepPlaceholders: meta.keepPlaceholders ?? false });
  else if (Array.isArray(value))
    value.forEach((each, index) => addTexts(each, joinPath(path, index), meta, add));
  else if (isRecord(value)) {
    for (const [key, each] of Object.entries(value)) addTexts(each, joinPath(path, key), meta, add);
  }
}

type Wrapper = z.ZodDefault | z.ZodOptional | z.ZodNullable | z.ZodPrefault | z.ZodReadonly;

const isWrapper = (schema: z.core.$ZodType): schema is Wrapper =>
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodPrefault ||
  schema instanceof z.ZodReadonly;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
