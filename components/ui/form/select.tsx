'use client';
import { Suspense, useState } from 'react';
import { onDemand, useFirstOpening } from '#components/ui/on-demand.tsx';
import { useFieldProps } from './field.tsx';
import type { SelectOption } from './select-list.tsx';
import { selectClass, SelectLook } from './select-look.tsx';

export interface SelectProps<Value extends string> {
  options: readonly SelectOption<Value>[];
  /** Empty or absent: nothing is selected. */
  value?: Value | '' | undefined;
  defaultValue?: Value;
  onValueChange?: (value: Value) => void;
  placeholder?: string;
  name?: string;
  disabled?: boolean;
  /** Required outside a `Field`. */
  'aria-label'?: string;
  className?: string;
}

const SelectList = onDemand(async () => (await import('./select-list.tsx')).SelectList);

/** Selects from a short list. */
export function Select<Value extends string>({
  options,
  value,
  defaultValue,
  onValueChange,
  placeholder = 'Choose…',
  name,
  disabled = false,
  className,
  'aria-label': ariaLabel,
}: SelectProps<Value>) {
  const field = useFieldProps();
  const [own, setOwn] = useState<string>(defaultValue ?? '');
  const { openedBy, opener, close } = useFirstOpening('listbox', SelectList.preload);
  const chosen = value ?? own;
  const choose = (next: string) => {
    setOwn(next);
    onValueChange?.(next as Value);
  };
  const trigger = { ...field, 'aria-label': ariaLabel, className: selectClass(className) };
  const closed = (
    <button
      type="button"
      role="combobox"
      {...trigger}
      {...opener}
      disabled={disabled}
      data-placeholder={chosen === '' ? '' : undefined}
    >
      <SelectLook>{options.find((option) => option.value === chosen)?.label ?? placeholder}</SelectLook>
    </button>
  );
  return (
    <>
      {name && <input type="hidden" name={name} value={chosen} disabled={disabled} />}
      {openedBy ? (
        <Suspense fallback={closed}>
          <SelectList
            {...{ options, placeholder, disabled, trigger }}
            value={chosen}
            onValueChange={choose}
            instead={closed}
            onDismiss={close}
          />
        </Suspense>
      ) : (
        closed
      )}
    </>
  );
}
