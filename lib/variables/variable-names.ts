import type { JsonValue } from '#lib/core/json/value.ts';
import { listFields } from './flatten.ts';
import { isStatusField, taskName } from './task-names.ts';

export interface ListedVariable {
  /** The flattened name with the task's prefix, for display. */
  name: string;
  /** The text between the braces: always valid, always this field. */
  path: string;
  /** The keys from the output down to the value. */
  keys: readonly string[];
  value: JsonValue;
}

const PLAIN_NAME = /^[\p{L}\p{N}_$][\p{L}\p{N}_$-]*$/u;
const RESERVED = /^(?:this|true|false|null|undefined|as|else\b.*)$/;
const MAX_NAME_CHARACTERS = 1_000;
const DEFAULT_LIMIT = 2_000;

/**
 * The variables of a task's output for a picker, in document order, at most `limit`. Names that Handlebars cannot parse are
 * written as `[segments]`; fields whose name refers to another field are written by `.JSON`. Fields that cannot be written at
 * all (a NUL or more than 1,000 characters in a key) are left out.
 */
export function listVariables(taskId: number, output: JsonValue, limit = DEFAULT_LIMIT): ListedVariable[] {
  const variables: ListedVariable[] = [];
  for (const field of listFields(output, limit)) {
    const name = taskName(taskId, field.name);
    const isShort = name.length <= MAX_NAME_CHARACTERS && field.name !== '';
    const segments =
      field.isReached && !isStatusField(field.name) && isShort
        ? [name]
        : [taskName(taskId), 'JSON', ...field.keys];
    if (segments.every(canBeWritten))
      variables.push({ name, path: writePath(segments), keys: field.keys, value: field.value });
  }
  return variables;
}

/** Writes a path for a variable: `task_5.JSON.items[0].[unit price]`. */
export function writePath(segments: readonly string[]): string {
  return segments
    .map((segment, position) => {
      if (position > 0 && /^\d+$/.test(segment)) return `[${segment}]`;
      const isPlain = PLAIN_NAME.test(segment) && !RESERVED.test(segment) && !/^\d/.test(segment);
      const written = isPlain ? segment : `[${segment.replace(/[\\\]]/g, '\\$&')}]`;
      return position === 0 ? written : `.${written}`;
    })
    .join('');
}

function canBeWritten(segment: string): boolean {
  return segment.length <= MAX_NAME_CHARACTERS && !segment.includes('\0');
}
