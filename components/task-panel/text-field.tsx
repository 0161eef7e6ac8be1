'use client';
import { escapeOf } from '#lib/editor/canvas/form-fields.ts';
import { MoveToSecret } from './move-to-secret.tsx';
import { usePanel } from './panel-context.tsx';
import type { SettingFieldProps } from './setting-field-props.ts';
import { exampleOf, fromSettingText, toSettingText } from './setting-text.ts';
import { VariableField } from './variable-field.tsx';

/** A setting that is a text, with variables. */
export function TextField({ field, path, value, onChange, hideLabel = false, aside }: SettingFieldProps) {
  const { task } = usePanel();
  const { widget } = field.meta;
  const write = (text: string) => onChange(fromSettingText(text, field));
  const input = (
    <VariableField
      path={path}
      label={field.title}
      help={hideLabel ? undefined : field.description}
      hideLabel={hideLabel}
      value={toSettingText(value, field)}
      onChange={write}
      placeholder={exampleOf(field)}
      isMultiline={widget === 'multiline' || widget === 'code'}
      isCode={widget === 'code'}
      keepPlaceholders={field.meta.keepPlaceholders ?? false}
      escape={escapeOf(field, task.settings)}
      aside={aside}
    />
  );
  // Only a value with a name beside it can be recognized as a credential.
  if (field.name !== 'value') return input;
  return (
    <>
      {input}
      <MoveToSecret path={path} onChange={write} />
    </>
  );
}
