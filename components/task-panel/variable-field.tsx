'use client';
import { type ReactNode, useMemo, useRef } from 'react';
import { Field } from '#components/ui/field.tsx';
import { VariableInput, type VariableInputHandle } from '#components/variables/variable-input.tsx';
import { VariablePicker } from '#components/variables/variable-picker.tsx';
import type { Escape } from '#lib/variables/escape.ts';
import { Preview } from './preview.tsx';
import { useFieldWords } from './field-words.tsx';
import { usePanel } from './panel-context.tsx';
import { SampleLine } from './sample-line.tsx';

export interface VariableFieldProps {
  /** As problems name it: `settings.url`. */
  path: string;
  label: string;
  help?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string | undefined;
  isMultiline?: boolean;
  isCode?: boolean;
  keepPlaceholders?: boolean;
  /** How values are escaped where the text goes. */
  escape?: Escape;
  isRequired?: boolean;
  /** More at the end of the label's line. */
  aside?: ReactNode;
  hideLabel?: boolean;
}

/** A variable text with its label, the variable picker, its problem and what it becomes with the sample. */
export function VariableField(props: VariableFieldProps) {
  const { path, label, help, value, escape = 'none', keepPlaceholders = false } = props;
  const { groups, canEdit } = usePanel();
  const input = useRef<VariableInputHandle>(null);
  const words = useFieldWords(path, help);
  const unknown = useUnknownNames(path);
  return (
    <div data-field={path}>
      <Field
        label={label}
        {...words}
        hideLabel={props.hideLabel ?? false}
        aside={
          <span className="flex items-center gap-1">
            {props.aside}
            {canEdit && (
              <VariablePicker
                groups={groups}
                sample={<SampleLine />}
                onPick={(picked) => setTimeout(() => input.current?.insert(picked))}
              />
            )}
          </span>
        }
      >
        <VariableInput
          ref={input}
          label={label}
          value={value}
          onChange={props.onChange}
          isMultiline={props.isMultiline ?? false}
          isCode={props.isCode ?? false}
          isReadOnly={!canEdit}
          placeholder={props.placeholder}
          groups={groups}
          unknown={unknown}
          keepPlaceholders={keepPlaceholders}
        />
      </Field>
      <Preview text={value} escape={escape} keepPlaceholders={keepPlaceholders} />
    </div>
  );
}

/** Names in the braces at the beginning of the warnings of a field. */
function useUnknownNames(path: string): ReadonlySet<string> {
  const { problems } = usePanel();
  return useMemo(() => {
    const own = problems.filter(({ field, severity }) => field === path && severity === 'warning');
    return new Set(own.flatMap(({ message }) => /^\{\{([^.}]+)/.exec(message)?.[1] ?? []));
  }, [path, problems]);
}
