'use client';
import { useState } from 'react';
import { Field } from '#components/ui/field.tsx';
import { Textarea } from '#components/ui/textarea.tsx';
import { useFieldWords } from './field-words.tsx';
import { usePanel } from './panel-context.tsx';
import type { SettingFieldProps } from './setting-field-props.ts';

/** A setting that is edited as JSON, because there is no better form. */
export function JsonField({ field, path, value, onChange }: SettingFieldProps) {
  const { canEdit } = usePanel();
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const [isWrong, setWrong] = useState(false);
  const words = useFieldWords(path, field.description, {
    error: isWrong ? 'Not valid JSON yet. The previous value is kept.' : undefined,
  });
  const change = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <div data-field={path}>
      <Field label={field.title} {...words}>
        <Textarea code value={text} readOnly={!canEdit} onChange={(event) => change(event.target.value)} />
      </Field>
    </div>
  );
}
