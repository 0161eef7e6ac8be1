// A task type explains itself in one folder. Definitions are isomorphic: screens, API and engine read the same one.
import type { z } from 'zod';
import type { Problem } from '#lib/core/errors.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { TemplateFacts } from '#lib/messaging/schema/fact-types.ts';
import type { Escape } from '#lib/variables/escape.ts';
import type { ReadConversation } from './conversation.ts';
import type { TaskKind } from './task-kind.ts';

/** A task's settings as they are stored; of a draft they may be incomplete or wrong in places. */
export type StoredSettings = Readonly<Record<string, unknown>>;

/**
 * What a field's value is picked from. A list is narrowed by the other fields of the task: business accounts are those of
 * the connection that is picked, phone numbers and message templates those of the account.
 */
export type PickSource = 'connection' | 'business_account' | 'phone_number' | 'message_template';

/** How a settings field is shown and read; set with zod's `.meta()`, next to `title` and `description`. */
export interface FieldMeta {
  /** The field is a variable text: it may hold `{{…}}` and is checked when it is saved. */
  variables?: boolean;
  /** `{{1}}`, `{{2}}` … are the platform's placeholders here, not variables. */
  keepPlaceholders?: boolean;
  /** How values are escaped where the text goes (docs/variables.md); not at all if left out. */
  escape?: Escape | ((settings: StoredSettings) => Escape);
  widget?: 'text' | 'multiline' | 'code' | 'number' | 'select' | 'switch' | 'list' | 'url' | 'datetime';
  placeholder?: string;
  /** The heading of a part of the form that is closed until it is opened or used; fields of a group follow each other. */
  group?: string;
  /** The field is shown while another one of the same object has one of these values. */
  visibleWhen?: { field: string; is: readonly (string | boolean)[] };
  /**
   * The field is picked from a list, except while another field has a value with which it is typed. One that is optional
   * lacks nothing while it is empty.
   */
  picks?: { from: PickSource; isOptional?: true; unless?: { field: string; is: readonly string[] } };
  /** The field is the language of the message template that another field picks. */
  languageOf?: string;
  /** The field holds the quick replies of the message template that another field picks: `{ title, index }` each. */
  quickRepliesOf?: string;
  /**
   * The field may hold credentials: what is secret in it (lib/secrets) is stored encrypted and shown to nobody. Of a
   * field that is the value of something, `namedBy` is the field of the same object that says of what; `whole` is a
   * field that holds nothing else.
   */
  secrets?: true | 'whole' | { namedBy: string };
  /**
   * Of a setting as a whole: its texts may name secrets of the workspace, `{{secret.name}}`, because what it becomes goes
   * to another service only, and reaches no output, message or answer. No other setting may.
   */
  namedSecrets?: true;
  /** Words for the values of an enum, as the spec gives them. */
  labels?: Readonly<Record<string, string>>;
}

/** What only forms need: readers of the API are not shown it. */
export const FORM_ONLY_META = [
  'escape',
  'group',
  'keepPlaceholders',
  'languageOf',
  'namedSecrets',
  'picks',
  'quickRepliesOf',
  'secrets',
  'visibleWhen',
  'widget',
] as const satisfies readonly (keyof FieldMeta)[];

declare module 'zod' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- zod takes its metadata's type by merging.
  interface GlobalMeta extends FieldMeta {}
}

/** Finds problems that no schema can; it also sees settings that the schema refuses. Paths start with `settings`. */
export type CheckMore = (settings: unknown) => Problem[];

/** The approved message template that a field picks in the language it is sent in; undefined while that is not known. */
export type FindTemplate = (field: string) => TemplateFacts | undefined;

export interface TaskDefinition extends TaskKind {
  /** A strict object; missing values get their defaults when a version is published. */
  settings: z.ZodObject;
  /** The output's fields, for the variable picker and the docs. A loose object has others that nobody knows before. */
  outputs: z.ZodObject;
  /** The setting with the URL that the secrets of the workspace which its settings name are sent to. */
  secretsGoTo?: string;
  /** Output fields that settings name, besides `outputs`. */
  outputsFrom?: (settings: StoredSettings) => z.ZodObject;
  /** It asks what its variables hold: one that is missing is an answer, for it and for the tasks behind it. */
  asksVariables?: true;
  /**
   * Values that its settings compare variables with, so that an example request continues: by variable as it is written,
   * such as `task_1_customer_status`.
   */
  wantedValues?: (settings: StoredSettings) => ReadonlyMap<string, JsonValue>;
  /** Of a loop: the fields of `outputs` that only the tasks inside it see; those see no other. */
  outputsInside?: readonly string[];
  /** Of a loop: the setting that gives its items. */
  itemsSetting?: string;
  /** A check that needs a heavy library, which is loaded for settings that need it. */
  furtherCheck?: { isNeeded: (settings: StoredSettings) => boolean; load: () => Promise<CheckMore> };
  /** Finds problems that keep a draft from being published, but not a version that has them from running. */
  publishCheck?: CheckMore;
  /** Finds what probably fails; the editor and its publish dialog show it, and publishing continues. */
  warningCheck?: CheckMore;
  /** What is wrong with how message templates are filled that its settings pick; `find` gives what the platform has. */
  templateProblems?: (settings: StoredSettings, find: FindTemplate) => Problem[];
  /** It exchanges messages with customers: reads those of a task run. */
  conversation?: ReadConversation;
}
