import type { FormField } from '#lib/editor/canvas/form-fields.ts';

/** A setting as editable text; other values are shown as JSON. */
export function toSettingText(value: unknown, { defaultValue }: Pick<FormField, 'defaultValue'>): string {
  const shown = value === undefined ? defaultValue : value;
  if (shown === undefined || shown === null) return '';
  return typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2);
}

/** Undefined removes the setting, so that its default applies. */
export function fromSettingText(text: string, { defaultValue, isOptional }: FormField): string | undefined {
  const hasNoDefault = defaultValue === undefined || defaultValue === '';
  return text === '' && isOptional && hasNoDefault ? undefined : text;
}

/** Settings with one changed value. */
export function withSetting(
  settings: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  const { [name]: _old, ...rest } = settings;
  return value === undefined ? rest : { ...rest, [name]: value };
}

export const isVariableText = (value: unknown): value is string =>
  typeof value === 'string' && value.includes('{{');

/** A placeholder, marked as an example so that it does not look like a value. */
export const exampleOf = ({ meta: { placeholder } }: Pick<FormField, 'meta'>): string | undefined =>
  placeholder === undefined ? undefined : `e.g. ${placeholder}`;
