'use client';
import { Check, Minus } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import { type ReactNode, useId } from 'react';

export interface CheckboxProps {
  label: ReactNode;
  help?: ReactNode;
  checked?: boolean | 'indeterminate';
  defaultChecked?: boolean;
  onCheckedChange?: (checked: boolean) => void;
  name?: string;
  disabled?: boolean;
  /** The label is for screen readers only. */
  hideLabel?: boolean;
}

export function Checkbox({ label, help, hideLabel = false, onCheckedChange, ...props }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <Radix.Root
        {...props}
        {...(onCheckedChange ? { onCheckedChange: (checked) => onCheckedChange(checked === true) } : {})}
        id={id}
        aria-describedby={help ? `${id}-help` : undefined}
        className="mt-0.5 flex size-4.5 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-raised text-accent-ink data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent disabled:opacity-60"
      >
        <Radix.Indicator>
          {props.checked === 'indeterminate' ? (
            <Minus aria-hidden className="size-3.5" strokeWidth={3} />
          ) : (
            <Check aria-hidden className="size-3.5" strokeWidth={3} />
          )}
        </Radix.Indicator>
      </Radix.Root>
      <div className={hideLabel ? 'sr-only' : 'min-w-0'}>
        <label htmlFor={id}>{label}</label>
        {help && (
          <p id={`${id}-help`} className="text-sm text-muted">
            {help}
          </p>
        )}
      </div>
    </div>
  );
}
