// A task type explains itself in one folder. Definitions are isomorphic: screens, API and engine read the same one.
import type { z } from 'zod';
import type { TaskKind } from './task-kind.ts';

/** How a settings field is shown and read; set with zod's `.meta()`, next to `title` and `description`. */
export interface FieldMeta {
  /** The field is a variable text: it may hold `{{…}}` and is checked when it is saved. */
  variables?: boolean;
  /** `{{1}}`, `{{2}}` … are the platform's placeholders here, not variables. */
  keepPlaceholders?: boolean;
  widget?:
    'text' | 'multiline' | 'code' | 'number' | 'select' | 'switch' | 'list' | 'url' | 'datetime' | 'picker';
  placeholder?: string;
  /** The field is shown while another one of the same object has one of these values. */
  visibleWhen?: { field: string; is: readonly (string | boolean)[] };
  /**
   * The field may hold credentials: what is secret in it (lib/secrets) is stored encrypted and shown to nobody. Of a
   * field that is the value of something, `namedBy` is the field of the same object that says of what.
   */
  secrets?: true | { namedBy: string };
  /** Words for the values of an enum, as the spec gives them. */
  labels?: Readonly<Record<string, string>>;
}

declare module 'zod' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- zod takes its metadata's type by merging.
  interface GlobalMeta extends FieldMeta {}
}

export interface TaskDefinition extends TaskKind {
  /** A strict object; missing values get their defaults when a version is published. */
  settings: z.ZodObject;
  /** The output's fields, for the variable picker and the docs. A loose object has others that nobody knows before. */
  outputs: z.ZodObject;
  /** Output fields that settings name, besides `outputs`; the settings may be a draft's. */
  outputsFrom?: (settings: Record<string, unknown>) => z.ZodObject;
  /** It asks what its variables hold: one that is missing is an answer, for it and for the tasks behind it. */
  asksVariables?: true;
  /** Of a loop: the fields of `outputs` that only the tasks inside it see; those see no other. */
  outputsInside?: readonly string[];
}
