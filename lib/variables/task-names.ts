// The grammar of names for a task's output (docs/variables.md): `task_<id>_<field>`, and `task_<id>` alone, whose members are
// JSON, HEADERS and WEBHOOKS. Defined only here.

export interface TaskName {
  taskId: number;
  /** The part after `task_<id>_`; undefined for `task_<id>` alone. */
  field: string | undefined;
}

const ID = '(0|[1-9]\\d{0,14})';
const NAME = new RegExp(`^task_${ID}(?:_([\\s\\S]+))?$`);
const PATH = new RegExp(`^task_${ID}[_.]([\\s\\S]+)$`);
/** A name inside of a {{tag}}, wherever a segment may begin. */
const NAME_IN_TAG = new RegExp(`(?<![\\p{L}\\p{N}_$.-])task_${ID}(?=[_.\\s)}~[|]|$)`, 'gu');

/** The fields that every task has beside its output: whether it succeeded, and its status message (spec, "Variables"). */
export const STATUS_FIELDS = ['run', 'run_text'] as const;

/** Names of the whole workflow (spec, "Variables"). */
export const SYSTEM_NAMES = ['$now', '$date'] as const;

/** By this name a scope knows the time zones of `zone="workspace"` and `zone="customer"`. */
export const ZONES_NAME = '$zone';

/** Whose time zone a text may name. */
export const ZONE_OWNERS = ['workspace', 'customer'] as const;
export type ZoneOwner = (typeof ZONE_OWNERS)[number];

const ZONE_OF = /\bzone\s*=\s*["'](\w+)/g;

/** Whether a text may write dates in the time zone of this owner. */
export const asksZoneOf = (owner: ZoneOwner, text: string): boolean =>
  [...text.matchAll(ZONE_OF)].some(([, name]) => name === owner);

/** Prefix of a named secret: `{{secret.stripe_key}}`. */
export const SECRET_NAME = 'secret';

export const isStatusField = (field: string): boolean => (STATUS_FIELDS as readonly string[]).includes(field);

/** Parses the first segment of a path; undefined when it does not name a task. */
export function parseTaskName(name: string): TaskName | undefined {
  // Called for every variable: most names are rejected without the pattern.
  const parts = name.startsWith('task_') ? NAME.exec(name) : null;
  return parts === null ? undefined : { taskId: Number(parts[1]), field: parts[2] };
}

/** Splits a written path into its task and the rest: `task_1_order_id`, `task_1.JSON.order_id`. */
export function splitTaskPath(path: string): { taskId: number; rest: string } | undefined {
  const [, id, rest] = PATH.exec(path) ?? [];
  return rest === undefined ? undefined : { taskId: Number(id), rest };
}

/** Writes a task's name, with a field of its flattened output. */
export const taskName = (taskId: number, field?: string): string =>
  field === undefined ? `task_${taskId}` : `task_${taskId}_${field}`;

/** A text with variables as users see them: `{{task_1_phone}}` as `{{phone}}`. */
export const withoutTaskIds = (text: string): string =>
  text.replace(/\{\{[^{}]*\}\}/g, (tag) =>
    tag.replace(/(?<![\p{L}\p{N}_$.-])task_(?:0|[1-9]\d{0,14})(?:\.JSON\.|[_.])(?=\S)/gu, ''),
  );

/** Replaces the task ids in one {{tag}}; undefined keeps a name. */
export const replaceTaskIds = (tag: string, newIdOf: (taskId: number) => number | undefined): string =>
  tag.replace(NAME_IN_TAG, (name, id: string) => {
    const next = newIdOf(Number(id));
    return next === undefined ? name : taskName(next);
  });
