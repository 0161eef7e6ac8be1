// An example request for a workflow that has not received any yet.
import { listFields } from '#lib/variables/flatten.ts';
import type { Reference } from '#lib/variables/references.ts';
import { isStatusField, parseTaskName } from '#lib/variables/task-names.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { listVariableFields, referencesOf } from '#lib/tasks/variable-fields.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { type CanvasDocument, findTrigger } from './document.ts';

const MAX_LIST_INDEX = 9;
const MAX_FIELDS = 1000;

/**
 * A body with every field of the trigger that the workflow uses, and with values that match its conditions; undefined when it
 * uses none.
 */
export function exampleBody(document: Pick<CanvasDocument, 'tasks'>): JsonObject | undefined {
  const trigger = findTrigger(document);
  if (!trigger) return undefined;
  const own = referencesIn(trigger).flatMap((reference) => ownKeys(reference) ?? []);
  const used = document.tasks
    .flatMap(referencesIn)
    .flatMap((reference) => keysOf(reference, trigger.id) ?? [])
    .concat(itemKeys(document.tasks, trigger.id));
  const wanted = listWantedValues(document.tasks);
  const body: JsonObject = {};
  // Whole paths first: a flat name may be one of their fields.
  for (const { keys } of own) put(body, keys, guess);
  for (const { keys, isFlat, variable } of used) {
    const isThere = isFlat && listFields(body, MAX_FIELDS).some((field) => field.name === keys.join('_'));
    const value = variable === undefined ? undefined : wanted.get(variable);
    if (!isThere) put(body, keys, (key) => value ?? guess(key));
  }
  return Object.keys(body).length === 0 ? undefined : body;
}

interface Keys {
  keys: string[];
  /** From a flattened name, which may be a nested field. */
  isFlat: boolean;
  /** As written in the workflow. */
  variable?: string;
}

/** Values that tasks compare variables with, by variable as written; the first task counts. */
export function listWantedValues(tasks: readonly WorkflowTask[]): Map<string, JsonValue> {
  const entries = tasks.flatMap(({ type, settings }) => [
    ...(findTaskDefinition(type)?.wantedValues?.(settings) ?? []),
  ]);
  return new Map(entries.reverse());
}

function referencesIn(task: WorkflowTask): Reference[] {
  const definition = findTaskDefinition(task.type);
  return definition ? listVariableFields(definition.settings, task.settings).flatMap(referencesOf) : [];
}

const ownKeys = ({ name, path }: Reference): Keys | undefined =>
  /^task_\d|^\$/.test(name) ? undefined : { keys: [name, ...path], isFlat: false };

function keysOf({ name, path }: Reference, taskId: number): Keys | undefined {
  const parsed = parseTaskName(name);
  if (parsed?.taskId !== taskId) return undefined;
  const flat = parsed.field;
  if (flat === undefined) return path[0] === 'JSON' && path.length > 1 ? whole(path.slice(1)) : undefined;
  if (isStatusField(flat)) return undefined;
  const [, list, index = '', rest] = /^(.+?)_(\d)(?:_(.+))?$/.exec(flat) ?? [];
  const keys = list === undefined ? [flat] : [list, index, ...(rest === undefined ? [] : [rest])];
  return { keys: [...keys, ...path], isFlat: true, variable: [name, ...path].join('.') };
}

const whole = (keys: string[]): Keys => ({ keys, isFlat: false });

/** Fields of items that tasks inside loops over a list of the request use. */
function itemKeys(tasks: readonly WorkflowTask[], triggerId: number): Keys[] {
  return tasks.flatMap((loop) => {
    const setting = findTaskDefinition(loop.type)?.itemsSetting;
    if (setting === undefined) return [];
    const [items] = referencesIn({ ...loop, settings: { [setting]: loop.settings[setting] } });
    const list = items && keysOf(items, triggerId);
    if (!list) return [];
    const prefix = `task_${loop.id}_item_`;
    const fields = tasks.flatMap(referencesIn).filter(({ name }) => name.startsWith(prefix));
    if (fields.length === 0) return [whole([...list.keys, '0'])];
    return fields.map(({ name, path }) => whole([...list.keys, '0', name.slice(prefix.length), ...path]));
  });
}

/** Sets the value at a path; existing values stay, unless they have to become an object or a list. */
function put(body: JsonObject, keys: readonly string[], valueOf: (key: string) => JsonValue): void {
  let place = body as Record<string, JsonValue>;
  keys.forEach((key, position) => {
    const next = keys[position + 1];
    if (next === undefined) {
      place[key] ??= valueOf(key);
      return;
    }
    const isList = /^\d+$/.test(next) && Number(next) <= MAX_LIST_INDEX;
    if (typeof place[key] !== 'object' || place[key] === null) place[key] = isList ? [] : {};
    place = place[key] as Record<string, JsonValue>;
  });
}

const GUESSES: readonly [RegExp, JsonValue][] = [
  [/phone|recipient|mobile|whats|wa_?id|^(to|from)$/i, '15550101001'],
  [/e?mail/i, 'guest@example.com'],
  [/url|link/i, 'https://example.com/'],
  [/name/i, 'Sample Guest'],
  [/^(text|message|question)$/i, 'How much is it?'],
  [/(_at|date|time|until)$/i, '2030-05-11T10:30:00Z'],
  [/total|price|amount|count|quantity/i, 42],
  [/number|id$|reference/i, 'A-1001'],
];

const guess = (key: string): JsonValue => GUESSES.find(([pattern]) => pattern.test(key))?.[1] ?? 'sample';
