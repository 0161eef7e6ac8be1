'use client';
import type { ReactNode } from 'react';
import { Field } from '#components/ui/form/field.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { SegmentedControl } from '#components/ui/form/segmented-control.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { useFieldWords } from './field-words.tsx';
import { usePanel } from './panel-context.tsx';
import type { SettingFieldProps } from './setting-field-props.ts';

/** Options with at most this many characters in all are segments. */
const MAX_SEGMENT_CHARACTERS = 34;

/** Selects one of several values. */
export function ChoiceField({ field, path, value, onChange, hideLabel = false }: SettingFieldProps) {
  const { canEdit } = usePanel();
  const words = useFieldWords(path, field.description);
  const shown = typeof value === 'string' ? value : (field.defaultValue as string | undefined);
  const length = field.options.reduce((sum, { label }) => sum + label.length, 0);
  const isShort = canEdit && field.options.length <= 4 && length <= MAX_SEGMENT_CHARACTERS && !hideLabel;
  return (
    <div data-field={path}>
      <Field label={field.title} {...words} hideLabel={hideLabel}>
        {isShort ? (
          <SegmentedControl
            label={field.title}
            options={field.options}
            value={shown ?? ''}
            onValueChange={onChange}
            className="self-start"
          />
        ) : (
          <Select
            aria-label={field.title}
            options={field.options}
            value={shown ?? ''}
            disabled={!canEdit}
            onValueChange={onChange}
          />
        )}
      </Field>
    </div>
  );
}

/** Switches a field between its list and a variable text. */
export const ModeButton = ({
  label,
  icon,
  onClick,
}: {
  label: string;
  icon: ReactNode;
  onClick: () => void;
}) => (
  <IconButton label={label} size="sm" className="h-6 w-7" onClick={onClick}>
    {icon}
  </IconButton>
);
