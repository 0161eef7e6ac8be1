'use client';
import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { CONTROL_CLASS } from './control-class.ts';
import { cx } from './cx.ts';
import { useFieldProps } from './field.tsx';

export interface SelectOption<Value extends string = string> {
  /** Not empty: use `placeholder` for "nothing chosen". */
  value: Value;
  label: string;
  description?: ReactNode;
  disabled?: boolean;
}

export interface SelectProps<Value extends string> {
  options: readonly SelectOption<Value>[];
  /** Empty or absent: nothing is chosen. */
  value?: Value | '' | undefined;
  defaultValue?: Value;
  onValueChange?: (value: Value) => void;
  placeholder?: string;
  name?: string;
  disabled?: boolean;
  /** Needed outside of a `Field`. */
  'aria-label'?: string;
  className?: string;
}

/** One of a short list. */
export function Select<Value extends string>({
  options,
  placeholder = 'Choose…',
  onValueChange,
  className,
  'aria-label': ariaLabel,
  ...props
}: SelectProps<Value>) {
  const field = useFieldProps();
  return (
    <Radix.Root
      {...props}
      {...(onValueChange ? { onValueChange: (value) => onValueChange(value as Value) } : {})}
    >
      <Radix.Trigger
        {...field}
        aria-label={ariaLabel}
        className={cx(
          CONTROL_CLASS,
          'flex h-9 items-center justify-between gap-2 px-3 text-left data-placeholder:text-muted',
          className,
        )}
      >
        <span className="truncate">
          <Radix.Value placeholder={placeholder} />
        </span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[92vw] animate-appear overflow-hidden rounded-lg border border-line bg-raised p-1 shadow-overlay"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Option key={option.value} {...option} />
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const Option = ({ value, label, description, disabled = false }: SelectOption) => (
  <Radix.Item
    value={value}
    disabled={disabled}
    className="relative flex flex-col rounded-md py-1.5 pr-3 pl-8 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover"
  >
    <Radix.ItemIndicator className="absolute top-2 left-2">
      <Check aria-hidden className="size-4 text-accent" />
    </Radix.ItemIndicator>
    <Radix.ItemText>{label}</Radix.ItemText>
    {description && <span className="text-sm text-muted">{description}</span>}
  </Radix.Item>
);
