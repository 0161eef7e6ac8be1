// Finds fields in a task's settings by the schema's metadata.
import * as z from 'zod';
import type { FieldMeta } from './task-definition.ts';

/** A field of a task's settings that the schema marks. */
export interface MarkedField {
  /** Keys and indexes from the settings on. */
  path: readonly (string | number)[];
  value: unknown;
  meta: FieldMeta & { title?: string };
  /** The object that the field is in. */
  owner: unknown;
}

/** The fields with a mark in settings, which may be a draft's: incomplete or partly invalid. */
export function listMarkedFields(schema: z.ZodType, settings: unknown, mark: keyof FieldMeta): MarkedField[] {
  const fields: MarkedField[] = [];
  walk(schema, { path: [], value: settings, meta: {}, owner: undefined }, (field) => {
    if (field.meta[mark] === undefined || field.meta[mark] === false) return false;
    fields.push(field);
    return true;
  });
  return fields;
}

/** Whether a setting is evaluated after what its task does. @param path such as `settings.until[0].left` */
export function readsResults({ settings }: { settings: z.ZodObject }, path: string): boolean {
  const [, key = ''] = path.split(/[.[]/);
  const schema = (settings.shape as z.core.$ZodShape)[key];
  return schema !== undefined && z.globalRegistry.get(schema)?.readsResults === true;
}

/** @param take returns whether a field matches; its contents are not searched then */
function walk(schema: z.core.$ZodType, field: MarkedField, take: (field: MarkedField) => boolean): void {
  const { path, value, owner } = field;
  const meta = { ...field.meta, ...z.globalRegistry.get(schema) };
  if (take({ path, value, meta, owner })) return;
  if (schema instanceof z.ZodObject) {
    if (!isRecord(value)) return;
    for (const [key, inner] of Object.entries(schema.shape))
      walk(inner as z.ZodType, { path: [...path, key], value: value[key], meta: {}, owner: value }, take);
  } else if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return;
    value.forEach((element, index) =>
      walk(schema.element, { path: [...path, index], value: element, meta: {}, owner }, take),
    );
  } else if (schema instanceof z.ZodUnion) {
    for (const option of schema.options) walk(option, { path, value, meta: {}, owner }, take);
  } else if (isWrapper(schema)) {
    walk(schema.def.innerType, { path, value, meta, owner }, take);
  } else if (schema instanceof z.ZodPipe) {
    walk(schema.in, { path, value, meta, owner }, take);
  }
}

type Wrapper = z.ZodDefault | z.ZodOptional | z.ZodNullable | z.ZodPrefault | z.ZodReadonly;

const isWrapper = (schema: z.core.$ZodType): schema is Wrapper =>
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodPrefault ||
  schema instanceof z.ZodReadonly;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The label of a field in forms: "Conditions 2, Value" for `settings.conditions[1].right`; undefined for the settings as a
 * whole.
 */
export function titleOfSetting(settings: z.ZodType, path: string): string | undefined {
  const [, ...keys] = path.match(/[^.[\]]+/g) ?? [];
  const titles: string[] = [];
  let schema: z.core.$ZodType | undefined = settings;
  for (const key of keys) {
    const holder: z.core.$ZodType | undefined = schema && unwrap(schema);
    if (holder instanceof z.ZodArray) {
      schema = holder.element;
      titles.push(`${titles.pop() ?? ''} ${Number(key) + 1}`.trim());
    } else {
      schema = holder instanceof z.ZodObject ? (holder.shape as z.core.$ZodShape)[key] : undefined;
      titles.push((schema && titleOf(schema)) ?? key);
    }
  }
  return titles.length > 0 ? titles.join(', ') : undefined;
}

const innerOf = (schema: z.core.$ZodType): z.core.$ZodType | undefined => {
  if (isWrapper(schema)) return schema.def.innerType;
  return schema instanceof z.ZodPipe ? schema.in : undefined;
};

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = innerOf(schema);
  return inner ? unwrap(inner) : schema;
}

function titleOf(schema: z.core.$ZodType): string | undefined {
  const title = z.globalRegistry.get(schema)?.title;
  const inner = innerOf(schema);
  return title ?? (inner && titleOf(inner));
}
