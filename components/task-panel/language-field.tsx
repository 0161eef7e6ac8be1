'use client';
import { Braces } from 'lucide-react';
import { useState } from 'react';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { useFieldWords } from './field-words.tsx';
import { useChangeSettings, usePanel } from './panel-context.tsx';
import { languagesOf, repliesOf } from './picks.ts';
import { ModeButton } from './choice-field.tsx';
import type { SettingFieldProps } from './setting-field-props.ts';
import { TextField } from './text-field.tsx';
import { isVariableText } from './setting-text.ts';
import { usePickerOptions } from './use-picker-options.ts';

/** The language of a message template: one of the template's languages, once they are known. */
export function LanguageField({ nameField, ...props }: SettingFieldProps & { nameField: string }) {
  const { task, fields } = usePanel();
  const change = useChangeSettings();
  const { data } = usePickerOptions('message_template');
  const [isText, setText] = useState(isVariableText(props.value));
  const languages = languagesOf(data ?? [], task.settings[nameField]);
  if (isText || languages.length === 0) return <TextField {...props} />;
  // The template may have other buttons in another language.
  const choose = (language: unknown) => {
    const name = task.settings[nameField];
    change({
      [props.field.name]: language,
      ...repliesOf({ name: nameField, fields }, data ?? [], { name, language }),
    });
  };
  return (
    <LanguagePicker {...props} languages={languages} onChange={choose} switchToText={() => setText(true)} />
  );
}

function LanguagePicker({
  field,
  path,
  value,
  onChange,
  languages,
  switchToText,
}: SettingFieldProps & { languages: readonly string[]; switchToText: () => void }) {
  const { canEdit } = usePanel();
  const chosen = typeof value === 'string' && value !== '' ? value : String(field.defaultValue);
  const isThere = languages.includes(chosen);
  const words = useFieldWords(path, undefined, {
    error: isThere
      ? undefined
      : `The template is not approved in ${chosen}. Available in ${languages.join(', ')}.`,
  });
  return (
    <div data-field={path}>
      <Field
        label={field.title}
        {...words}
        aside={
          canEdit && (
            <ModeButton label="Use a variable instead" icon={<Braces aria-hidden />} onClick={switchToText} />
          )
        }
      >
        <Select
          aria-label={field.title}
          value={chosen}
          disabled={!canEdit}
          onValueChange={onChange}
          options={[...(isThere ? [] : [chosen]), ...languages].map((each) => ({ value: each, label: each }))}
        />
      </Field>
    </div>
  );
}
