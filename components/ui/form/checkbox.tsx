'use client';
import { Check, Minus } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cx } from '#components/ui/cx.ts';

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

const MARK =
  'pointer-events-none absolute top-1/2 left-1/2 hidden size-3.5 -translate-x-1/2 -translate-y-1/2 text-accent-ink';

export function Checkbox({
  label,
  help,
  hideLabel = false,
  checked,
  onCheckedChange,
  ...props
}: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <span className="relative mt-0.5 flex size-4.5 shrink-0">
        <input
          {...props}
          {...(checked === undefined ? {} : { checked: checked === true })}
          {...(onCheckedChange ? { onChange: ({ target }) => onCheckedChange(target.checked) } : {})}
          ref={(box) => {
            if (box) box.indeterminate = checked === 'indeterminate';
          }}
          type="checkbox"
          id={id}
          aria-describedby={help ? `${id}-help` : undefined}
          className="peer size-full appearance-none rounded-sm border border-line-strong bg-raised checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:opacity-60"
        />
        <Check
          aria-hidden
          strokeWidth={3}
          className={`${MARK} peer-checked:block peer-indeterminate:hidden`}
        />
        <Minus aria-hidden strokeWidth={3} className={`${MARK} peer-indeterminate:block`} />
      </span>
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

export interface SwitchProps {
  label: ReactNode;
  checked?: boolean;
  defaultChecked?: boolean;
  onCheckedChange?: (checked: boolean) => void;
  name?: string;
  disabled?: boolean;
  /** The label is for screen readers only. */
  hideLabel?: boolean;
  title?: string;
}

/** A setting that is on or off and takes effect immediately. */
export function Switch({ label, hideLabel = false, onCheckedChange, ...props }: SwitchProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2.5 align-middle">
      <input
        {...props}
        type="checkbox"
        role="switch"
        id={id}
        {...(onCheckedChange ? { onChange: ({ target }) => onCheckedChange(target.checked) } : {})}
        className="relative h-5 w-9 shrink-0 appearance-none rounded-full border border-line-strong bg-hover transition-colors before:absolute before:top-1/2 before:left-0.5 before:size-3.5 before:-translate-y-1/2 before:rounded-full before:bg-muted before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-accent-ink disabled:opacity-50"
      />
      <label htmlFor={id} className={cx(hideLabel && 'sr-only')}>
        {label}
      </label>
    </span>
  );
}
