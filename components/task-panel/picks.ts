// What choosing one thing of the platform means for the others: pure, so that it can be tested by itself.
import type { PickerOption } from '#lib/screens/editor-types.ts';
import type { PickerKind } from './use-picker-options.ts';

type Settings = Readonly<Record<string, unknown>>;

const DEFAULT_LANGUAGE = 'en_US';

/** The picked language of a template, by the setting that names it. */
export const LANGUAGE_FIELDS: Readonly<Record<string, string>> = {
  template_name: 'template_language',
  fallback_template_name: 'fallback_template_language',
};

/**
 * The settings that change when something is picked: a number belongs to its account, an account to its connection, and
 * a template is there in some languages only.
 */
export function changesOf(
  kind: PickerKind,
  field: string,
  picked: string,
  options: readonly PickerOption[],
  settings: Settings,
): Record<string, unknown> {
  if (settings[field] === picked && kind !== 'message_template') return {};
  if (kind === 'connection') {
    const account = options.find(({ value }) => value === picked)?.businessAccountId;
    return { [field]: picked, business_account_id: account, phone_number_id: undefined };
  }
  if (kind === 'business_account') return { [field]: picked, phone_number_id: undefined };
  if (kind === 'phone_number') return { [field]: picked };
  const languageField = LANGUAGE_FIELDS[field] ?? '';
  const language = chooseLanguage(languagesOf(options, picked), settings[languageField]);
  return { [field]: picked, ...(language === undefined ? {} : { [languageField]: language }) };
}

/** The languages that a template is there in. */
export const languagesOf = (options: readonly PickerOption[], name: unknown): string[] =>
  options.flatMap(({ template }) => (template && template.name === name ? [template.language] : []));

/** Another language than the one that is set, if the template is not there in it; undefined leaves it. */
function chooseLanguage(
  languages: readonly string[],
  current: unknown = DEFAULT_LANGUAGE,
): string | undefined {
  const isVariable = typeof current === 'string' && current.includes('{{');
  if (isVariable || languages.length === 0 || languages.includes(String(current))) return undefined;
  return languages.includes(DEFAULT_LANGUAGE) ? DEFAULT_LANGUAGE : languages[0];
}

/**
 * What a picker that is still empty can only mean: the one thing there is, or what all other tasks of the workflow use.
 * @param usedElsewhere the values of the same setting in other tasks
 */
export function presetOf(
  options: readonly PickerOption[],
  usedElsewhere: readonly unknown[],
): string | undefined {
  const [only] = options;
  if (options.length === 1) return only?.value;
  const used = new Set(usedElsewhere.filter((value) => options.some((option) => option.value === value)));
  const [same] = used;
  return used.size === 1 && typeof same === 'string' ? same : undefined;
}
