// How a pick affects others: pure.
import { firstUsable } from '#components/connections/first-usable.ts';
import { findPickedFrom, type FormField } from '#lib/editor/canvas/form-fields.ts';
import { isPlain, quickRepliesOf } from '#lib/messaging/message-templates/schema/describe-template.ts';
import type { PickerOption } from '#lib/screens/editor-types.ts';
import type { PickSource } from '#lib/tasks/task-definition.ts';

type Settings = Readonly<Record<string, unknown>>;

const DEFAULT_LANGUAGE = 'en_US';

/**
 * The settings that change after a pick: a number belongs to its account, an account to its connection, and a template exists
 * in some languages only.
 * @param task its settings and the fields of their form
 */
export function changesOf(
  { name, meta: { picks } }: FormField,
  picked: string,
  options: readonly PickerOption[],
  { fields, settings }: { fields: readonly FormField[]; settings: Settings },
): Record<string, unknown> {
  const kind = picks?.from;
  if (settings[name] === picked && kind !== 'message_template') return {};
  const reset = (source: PickSource, value?: string): Record<string, unknown> => {
    const field = findPickedFrom(fields, source);
    return field === undefined ? {} : { [field]: value };
  };
  if (kind === 'connection') {
    const account = options.find(({ value }) => value === picked)?.businessAccountId;
    return { [name]: picked, ...reset('business_account', account), ...reset('phone_number') };
  }
  if (kind === 'business_account') return { [name]: picked, ...reset('phone_number') };
  const languageField = fields.find(({ meta }) => meta.languageOf === name)?.name;
  if (kind !== 'message_template' || languageField === undefined) return { [name]: picked };
  const language = chooseLanguage(languagesOf(options, picked), settings[languageField]);
  return {
    [name]: picked,
    ...(language === undefined ? {} : { [languageField]: language }),
    ...repliesOf({ name, fields }, options, {
      name: picked,
      language: language ?? settings[languageField] ?? DEFAULT_LANGUAGE,
    }),
  };
}

/** The setting with the quick replies of a message template. @param field the one that picks the template */
export function repliesOf(
  { name, fields }: { name: string; fields: readonly FormField[] },
  options: readonly PickerOption[],
  wanted: { name: unknown; language: unknown },
): Record<string, unknown> {
  const field = fields.find(({ meta }) => meta.quickRepliesOf === name)?.name;
  const template = findTemplate(options, wanted);
  return field === undefined || !template ? {} : { [field]: quickRepliesOf(template.components) };
}

/** The template of this name and language among a picker's options. */
export const findTemplate = (
  options: readonly PickerOption[],
  { name, language }: { name: unknown; language: unknown },
): PickerOption['template'] =>
  options.find(({ template }) => template?.name === name && template?.language === language)?.template;

/** The languages of a template. */
export const languagesOf = (options: readonly PickerOption[], name: unknown): string[] =>
  options.flatMap(({ template }) => (template && template.name === name ? [template.language] : []));

/** Another language, if the template does not exist in the current one; undefined keeps it. */
function chooseLanguage(
  languages: readonly string[],
  current: unknown = DEFAULT_LANGUAGE,
): string | undefined {
  const isVariable = typeof current === 'string' && current.includes('{{');
  if (isVariable || languages.length === 0 || languages.includes(String(current))) return undefined;
  return languages.includes(DEFAULT_LANGUAGE) ? DEFAULT_LANGUAGE : languages[0];
}

/**
 * Default of an empty picker: the only option, or what all other tasks of the workflow use; where no other task sends, the
 * first number that can.
 * @param usedElsewhere the values of the same setting in other tasks
 */
export function presetOf(
  kind: PickSource,
  options: readonly PickerOption[],
  usedElsewhere: readonly unknown[],
): string | undefined {
  const [only] = options;
  if (options.length === 1) return only?.value;
  const used = new Set(usedElsewhere.filter((value) => options.some((option) => option.value === value)));
  const [same] = used;
  if (used.size === 0 && kind === 'phone_number') return firstUsable(options)?.value;
  return used.size === 1 && typeof same === 'string' ? same : undefined;
}

/** An approved message template that can be sent as it is, without anything to fill in: its name. */
export const suggestTemplate = (options: readonly PickerOption[]): string | undefined =>
  options.find(({ template }) => template && isPlain(template))?.value;
