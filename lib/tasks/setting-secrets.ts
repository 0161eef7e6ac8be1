// Where secrets are in a task's settings: the schema's metadata defines which fields may contain some, lib/secrets what looks
// like one.
import type * as z from 'zod';
import type { Problem } from '#lib/core/errors.ts';
import { findSecretPlaces, replaceSecrets } from '#lib/secrets/find-secrets.ts';
import { findPlaceholders, mapStrings, MASK, withoutSecretIds } from '#lib/secrets/placeholder-format.ts';
import { isSecretName } from '#lib/core/secret-names.ts';
import { isRecord, listMarkedFields, type MarkedField } from './marked-fields.ts';
import type { TaskDefinition } from './task-definition.ts';
import { joinPath } from './variable-fields.ts';

type Settings = Record<string, unknown>;
type Path = readonly (string | number)[];
/** @param name the name of the value, such as a header's. */
type Change = (value: string | number, name: string | undefined, path: Path) => unknown;

/** The name of a value that is always secret. */
const WHOLE = 'secret';

/**
 * Settings whose literal secrets are replaced. Other text and variables are unchanged. @param replace returns the replacement
 * for a part of a text, or for a number.
 */
export function replaceSettingSecrets(
  schema: z.ZodType,
  settings: Settings,
  replace: (secret: string | number) => string,
): Settings {
  return changeFields(schema, settings, (value, name) => {
    if (typeof value === 'string') return replaceSecrets(value, name, replace);
    return name !== undefined && isSecretName(name) ? replace(value) : value;
  });
}

/** A setting for display with its variables filled in: secrets are masked. */
export const maskSetting = (schema: z.ZodObject, name: string, value: unknown): unknown => {
  const { [name]: masked } = replaceSettingSecrets(schema, { [name]: value }, () => MASK);
  return mapStrings(masked, withoutSecretIds);
};

/** Secrets that were left out, as in an imported file; paths start with `settings`, as in `settings.headers[0].value`. */
export function listMissingSecrets({ settings: schema }: TaskDefinition, settings: unknown): Problem[] {
  const problems: Problem[] = [];
  for (const field of listMarkedFields(schema, settings, 'secrets')) {
    changeValue(field.value, nameOf(field), field.path, (value, name, path) => {
      const message = typeof value === 'string' ? whyMissing(value, name, field.meta.title) : undefined;
      if (message !== undefined) problems.push({ path: path.reduce<string>(joinPath, 'settings'), message });
      return value;
    });
  }
  return problems;
}

function whyMissing(text: string, name: string | undefined, title = 'this field'): string | undefined {
  const missing = findPlaceholders(text).find(({ id }) => id === undefined);
  if (!missing) return undefined;
  if (name !== undefined && isSecretName(name)) return `Enter the value of ${singular(title)} ${name}.`;
  const place = findSecretPlaces(text).find(({ from, to }) => from <= missing.from && to >= missing.to);
  return place?.name === undefined
    ? `Enter the secret in "${title}": replace ${MASK}.`
    : `Enter the value of ${place.name} in "${title}": replace ${MASK}.`;
}

/** `Headers` → `header`. */
const singular = (title: string): string => title.toLowerCase().replace(/s$/, '');

function changeFields(schema: z.ZodType, settings: Settings, change: Change): Settings {
  return listMarkedFields(schema, settings, 'secrets').reduce<Settings>((changed, field) => {
    const value = changeValue(field.value, nameOf(field), field.path, change);
    return value === field.value ? changed : (withValueAt(changed, field.path, value) as Settings);
  }, settings);
}

function nameOf({ meta: { secrets }, owner }: MarkedField): string | undefined {
  if (secrets === 'whole') return WHOLE;
  if (typeof secrets !== 'object' || !isRecord(owner)) return undefined;
  const name = owner[secrets.namedBy];
  return typeof name === 'string' ? name : undefined;
}

/** Every text and number in a value. An object's fields go under their keys, `{name, value}` under its name. */
function changeValue(value: unknown, name: string | undefined, path: Path, change: Change): unknown {
  if (typeof value === 'string' || typeof value === 'number') return change(value, name, path);
  if (Array.isArray(value)) {
    const changed = value.map((each, index) => changeValue(each, name, [...path, index], change));
    return changed.some((each, index) => each !== value[index]) ? changed : value;
  }
  if (!isRecord(value)) return value;
  const isPair = typeof value['name'] === 'string' && Object.hasOwn(value, 'value');
  const entries = Object.entries(value);
  const changed = entries.map(([key, each]) => {
    const under = isPair && key === 'value' ? String(value['name']) : key;
    return [key, changeValue(each, under, [...path, key], change)] as const;
  });
  return changed.some(([, each], index) => each !== entries[index]?.[1])
    ? Object.fromEntries(changed)
    : value;
}

function withValueAt(target: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(target))
    return target.map((each: unknown, index) => (index === key ? withValueAt(each, rest, value) : each));
  const record = isRecord(target) ? target : {};
  return { ...record, [key]: withValueAt(record[key], rest, value) };
}
