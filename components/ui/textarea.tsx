'use client';
import type { ComponentProps } from 'react';
import { CONTROL_CLASS } from './control-class.ts';
import { cx } from './cx.ts';
import { useFieldProps } from './field-context.ts';

export interface TextareaProps extends ComponentProps<'textarea'> {
  /** Monospace. */
  code?: boolean;
}

export function Textarea({ code = false, className, rows = 4, ...props }: TextareaProps) {
  const field = useFieldProps();
  return (
    <textarea
      {...field}
      {...props}
      rows={rows}
      spellCheck={code ? false : props.spellCheck}
      className={cx(CONTROL_CLASS, 'px-3 py-2', code && 'font-mono sm:text-sm', className)}
    />
  );
}
