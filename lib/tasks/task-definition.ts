// A task type is defined in one folder. Definitions are isomorphic: screens, API and engine share them.
import type { z } from 'zod';
import type { Problem } from '#lib/core/errors.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { TemplateFacts } from '#lib/messaging/schema/fact-types.ts';
import type { Escape } from '#lib/variables/escape.ts';
import type { ReadConversation } from './conversation.ts';
import type { TaskKind } from './task-kind.ts';

/** A task's settings as they are stored; in a draft they may be incomplete or partly invalid. */
export type StoredSettings = Readonly<Record<string, unknown>>;

/**
 * The source of a field's options. A list may depend on the other fields of the task: business accounts are those of the selected
 * connection, phone numbers and message templates those of the account. Workflows are the other ones of the workspace; a task that
 * picks one calls it (lib/workflows/calls).
 */
export type PickSource = 'connection' | 'business_account' | 'phone_number' | 'message_template' | 'workflow';

/** How a settings field is displayed and parsed; set with zod's `.meta()`, next to `title` and `description`. */
export interface FieldMeta {
  /** The field is a variable text: it may hold `{{…}}` and is checked when it is saved. */
  variables?: boolean;
  /** `{{1}}`, `{{2}}` … are the platform's placeholders here, not variables. */
  keepPlaceholders?: boolean;
  /** How values are escaped in the text (docs/variables.md); left out: not at all. */
  escape?: Escape | ((settings: StoredSettings) => Escape);
  widget?: 'text' | 'multiline' | 'code' | 'number' | 'select' | 'toggle' | 'list' | 'url' | 'datetime';
  placeholder?: string;
  /** The heading of a collapsible part of the form; fields of a group are consecutive. */
  group?: string;
  /** The field is shown while another one of the same object has one of these values. */
  visibleWhen?: { field: string; is: readonly (string | boolean)[] };
  /** The field is picked from a list, unless another field has a value for which it is typed. An optional one may be empty. */
  picks?: { from: PickSource; isOptional?: true; unless?: { field: string; is: readonly string[] } };
  /** The field is the name of a calendar of opening hours of the workspace. */
  calendar?: true;
  /** The field is the language of the message template that another field picks. */
  languageOf?: string;
  /** The field holds the quick replies of the message template that another field picks: `{ title, index }` each. */
  quickRepliesOf?: string;
  /**
   * The field may hold credentials: secrets in it (lib/secrets) are stored encrypted and never shown. `namedBy`: the field of
   * the same object with the name of the value; `whole`: the whole field is secret.
   */
  secrets?: true | 'whole' | { namedBy: string };
  /**
   * For a whole setting: its texts may use secrets of the workspace, `{{secret.name}}`, because its value is only sent to
   * another service, and never to an output, message or response. No other setting may.
   */
  namedSecrets?: true;
  /**
   * For a whole setting: it is evaluated after what the task does, so that its texts may use the task's own output, and of a
   * loop that of the tasks inside it.
   */
  readsResults?: true;
  /** Labels for the values of an enum, from the spec. */
  labels?: Readonly<Record<string, string>>;
}

/** Only for forms, not for users of the API. */
export const FORM_ONLY_META = [
  'calendar',
  'escape',
  'group',
  'keepPlaceholders',
  'languageOf',
  'namedSecrets',
  'picks',
  'quickRepliesOf',
  'readsResults',
  'secrets',
  'visibleWhen',
  'widget',
] as const satisfies readonly (keyof FieldMeta)[];

declare module 'zod' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- zod takes its metadata's type by merging.
  interface GlobalMeta extends FieldMeta {}
}

/** Finds problems that a schema cannot; it also gets settings that the schema refuses. Paths start with `settings`. */
export type CheckMore = (settings: unknown) => Problem[];

/** The approved message template that a field picks in its language; undefined while that is unknown. */
export type FindTemplate = (field: string) => TemplateFacts | undefined;

export interface TaskDefinition extends TaskKind {
  /** A strict object; missing values get their defaults when a version is published. */
  settings: z.ZodObject;
  /** The output's fields, for the variable picker and the docs. A loose object has further, unknown fields. */
  outputs: z.ZodObject;
  /** The setting with the URL to which the named secrets of its settings are sent. */
  secretsGoTo?: string;
  /** Output fields that settings name, besides `outputs`. */
  outputsFrom?: (settings: StoredSettings) => z.ZodObject;
  /** It tests its variables: a missing one is a valid result for it and for later tasks. */
  asksVariables?: true;
  /**
   * Values that its settings compare variables with, so that an example request continues: by variable as written, such as
   * `task_1_customer_status`.
   */
  wantedValues?: (settings: StoredSettings) => ReadonlyMap<string, JsonValue>;
  /** For a loop: the fields of `outputs` that are only available to the tasks inside it, which have no others. */
  outputsInside?: readonly string[];
  /** For a loop: the setting with its items. */
  itemsSetting?: string;
  /** For a loop: the setting with how many of its items run at the same time. */
  itemsAtOnceSetting?: string;
  /** A check that needs a heavy library, which is loaded for settings that need it. */
  furtherCheck?: { isNeeded: (settings: StoredSettings) => boolean; load: () => Promise<CheckMore> };
  /** Finds problems that prevent publishing, but not runs of existing versions. */
  publishCheck?: CheckMore;
  /** Finds probable failures; the editor and its publish dialog show them, without preventing publishing. */
  warningCheck?: CheckMore;
  /** Problems of the values of selected message templates; `find` returns the platform's template. */
  templateProblems?: (settings: StoredSettings, find: FindTemplate) => Problem[];
  /** For types that exchange messages with customers: reads those of a task run. */
  conversation?: ReadConversation;
}
