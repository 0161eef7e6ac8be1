// The form of a task's settings, derived from its zod schema and the schema's metadata.
import * as z from 'zod';
import type { FieldMeta, PickSource, StoredSettings } from '#lib/tasks/task-definition.ts';
import type { Escape } from '#lib/variables/escape.ts';

/** `choice` and `flag` are an enum and a boolean that can also be a variable. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'enum' | 'choice' | 'flag' | 'list' | 'json';

export interface FormField {
  name: string;
  kind: FieldKind;
  title: string;
  description: string | undefined;
  meta: FieldMeta;
  /** Values of an enum with their labels. */
  options: { value: string; label: string }[];
  /** The value of an absent setting. */
  defaultValue: unknown;
  /** Fields of a list's elements. */
  items: FormField[];
  /** Maximum number of elements of a list; undefined: unlimited. */
  maxItems: number | undefined;
  /** It can be absent. */
  isOptional: boolean;
}

interface Unwrapped {
  schema: z.core.$ZodType;
  meta: FieldMeta & { title?: string; description?: string };
  defaultValue: unknown;
  isOptional: boolean;
}

/** The fields of an object schema in their order. */
export const listFormFields = (schema: z.ZodObject): FormField[] =>
  Object.entries(schema.shape).map(([name, field]) => toFormField(name, field as z.ZodType));

/** Whether a field is visible for the object's current values: the field that it depends on has to be visible, too. */
export function isVisible(
  { meta: { visibleWhen } }: FormField,
  values: Readonly<Record<string, unknown>>,
  fields: readonly FormField[],
): boolean {
  if (!visibleWhen) return true;
  const shownBy = fields.find(({ name }) => name === visibleWhen.field);
  const value = values[visibleWhen.field] ?? shownBy?.defaultValue;
  const isWanted = visibleWhen.is.some((each) => each === value);
  return isWanted && (!shownBy || isVisible(shownBy, values, fields));
}

/** Fields in their order, grouped; `group` is undefined for fields outside groups. */
export function groupFields(
  fields: readonly FormField[],
): { group: string | undefined; fields: FormField[] }[] {
  const groups: { group: string | undefined; fields: FormField[] }[] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last && last.group === field.meta.group) last.fields.push(field);
    else groups.push({ group: field.meta.group, fields: [field] });
  }
  return groups;
}

/** The setting that a task picks from a source; undefined when there is none. */
export const findPickedFrom = (fields: readonly FormField[], source: PickSource): string | undefined =>
  fields.find(({ meta }) => meta.picks?.from === source)?.name;

/** How values are escaped in the text of a field. */
export const escapeOf = ({ meta: { escape } }: FormField, settings: StoredSettings): Escape =>
  typeof escape === 'function' ? escape(settings) : (escape ?? 'none');

/** Initial value of a list's new element; what may be absent is. */
export const newElement = (items: readonly FormField[]): Record<string, unknown> =>
  Object.fromEntries(
    items
      .filter(({ isOptional, defaultValue }) => !isOptional || defaultValue !== undefined)
      .map((field) => [field.name, field.defaultValue ?? (field.kind === 'boolean' ? false : '')]),
  );

function toFormField(name: string, wrapped: z.ZodType): FormField {
  const { schema, meta, defaultValue, isOptional } = unwrap(wrapped);
  const { title, description, ...rest } = meta;
  const isList = schema instanceof z.ZodArray && schema.element instanceof z.ZodObject;
  return {
    name,
    kind: isList ? 'list' : kindOf(schema, meta),
    title: title ?? name,
    description,
    meta: rest,
    options: optionsOf(schema, meta),
    defaultValue,
    items: isList ? listFormFields(schema.element as z.ZodObject) : [],
    maxItems: isList ? maxItemsOf(schema) : undefined,
    isOptional,
  };
}

function maxItemsOf(schema: z.core.$ZodType): number | undefined {
  const checks = (schema._zod.def.checks ?? []).map((check) => check._zod.def);
  const limit = checks.find(({ check }) => check === 'max_length') as { maximum?: number } | undefined;
  return limit?.maximum;
}

function kindOf(schema: z.core.$ZodType, meta: FieldMeta): FieldKind {
  if (meta.widget === 'select' && meta.variables) return 'choice';
  if (meta.widget === 'toggle' && meta.variables) return 'flag';
  if (meta.variables) return 'text';
  if (schema instanceof z.ZodEnum) return 'enum';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodString || schema instanceof z.ZodUnion) return 'text';
  return 'json';
}

/** Of an enum, or of the enum in a union. */
function optionsOf(schema: z.core.$ZodType, { labels }: FieldMeta): FormField['options'] {
  const options = schema instanceof z.ZodUnion ? schema.options : [schema];
  const values = options.flatMap((option) => (option instanceof z.ZodEnum ? option.options : []));
  return values.map((value) => ({ value: String(value), label: labels?.[String(value)] ?? String(value) }));
}

/** Unwraps defaults and the like; the outermost metadata wins. */
function unwrap(wrapped: z.core.$ZodType): Unwrapped {
  let schema = wrapped;
  let meta: Unwrapped['meta'] = {};
  let defaultValue: unknown;
  let isOptional = false;
  for (;;) {
    meta = { ...(z.globalRegistry.get(schema) as Unwrapped['meta'] | undefined), ...meta };
    if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
      defaultValue ??= schema.def.defaultValue;
      isOptional = true;
      schema = schema.def.innerType;
    } else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
      isOptional = true;
      schema = schema.def.innerType;
    } else if (schema instanceof z.ZodReadonly) schema = schema.def.innerType;
    else if (schema instanceof z.ZodPipe) schema = schema.in;
    else return { schema, meta, defaultValue, isOptional };
  }
}
