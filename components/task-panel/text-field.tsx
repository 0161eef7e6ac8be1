'use client';
import { List } from 'lucide-react';
import { useState } from 'react';
import { Field } from '#components/ui/form/field.tsx';
import { Textarea } from '#components/ui/form/input.tsx';
import { escapeOf } from '#lib/editor/canvas/form-fields.ts';
import { ModeButton } from './choice-field.tsx';
import { useFieldWords } from './field-words.tsx';
import { MoveToSecret } from './move-to-secret.tsx';
import { usePanel } from './panel-context.tsx';
import type { SettingFieldProps } from './setting-field-props.ts';
import { exampleOf, fromSettingText, isVariableText, toSettingText } from './setting-text.ts';
import { VariableField } from './variable-field.tsx';

/** A setting that is a text, with variables. */
export function TextField({ field, path, value, onChange, hideLabel = false, aside }: SettingFieldProps) {
  const { task } = usePanel();
  const { widget } = field.meta;
  const [pasted, setPasted] = useState<string>();
  const write = (text: string) => onChange(fromSettingText(text, field));
  return (
    <>
      <VariableField
        path={path}
        label={field.title}
        help={hideLabel ? undefined : field.description}
        hideLabel={hideLabel}
        value={toSettingText(value, field)}
        onChange={write}
        onPaste={setPasted}
        placeholder={exampleOf(field)}
        isMultiline={widget === 'multiline' || widget === 'code'}
        isCode={widget === 'code'}
        keepPlaceholders={field.meta.keepPlaceholders ?? false}
        escape={escapeOf(field, task.settings)}
        aside={aside}
      />
      <MoveToSecret path={path} pasted={pasted} onChange={write} />
    </>
  );
}

/** A text with variables in place of a list. */
export const TextInsteadOfList = ({ showList, ...props }: SettingFieldProps & { showList: () => void }) => (
  <TextField
    {...props}
    aside={
      <ModeButton
        label="Select from the list"
        icon={<List aria-hidden />}
        onClick={() => {
          showList();
          if (isVariableText(props.value)) props.onChange(undefined);
        }}
      />
    }
  />
);

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
