// Finds the variable texts in a task's settings by the schema's metadata, so that no list of them is kept elsewhere.
import type * as z from 'zod';
import { isRecord, listMarkedFields } from './marked-fields.ts';
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
