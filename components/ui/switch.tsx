'use client';
import { Switch as Radix } from 'radix-ui';
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

/** Something that is on or off and takes effect at once. */
export function Switch({ label, hideLabel = false, ...props }: SwitchProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2.5 align-middle">
      <Radix.Root
        {...props}
        id={id}
        aria-labelledby={`${id}-label`}
        className="relative h-5 w-9 shrink-0 rounded-full border border-line-strong bg-hover transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-50"
      >
        <Radix.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-muted transition-transform data-[state=checked]:translate-x-4.5 data-[state=checked]:bg-accent-ink" />
      </Radix.Root>
      <label id={`${id}-label`} htmlFor={id} className={cx(hideLabel && 'sr-only')}>
        {label}
      </label>
    </span>
  );
}
