'use client';
import type { ComponentProps, ReactNode } from 'react';
import { CONTROL_CLASS } from './control-class.ts';
import { cx } from './cx.ts';
import { useFieldProps } from './field-context.ts';

export interface InputProps extends ComponentProps<'input'> {
  /** An icon at the start. */
  icon?: ReactNode;
}

export function Input({ icon, className, ...props }: InputProps) {
  const field = useFieldProps();
  const input = (
    <input {...field} {...props} className={cx(CONTROL_CLASS, 'h-9 px-3', icon ? 'pl-9' : '', className)} />
  );
  if (!icon) return input;
  return (
    <span className="relative block min-w-0">
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-muted [&_svg]:size-4"
      >
        {icon}
      </span>
      {input}
    </span>
  );
}
