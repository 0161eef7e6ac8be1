'use client';
import { type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

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
