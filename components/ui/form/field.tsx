'use client';
import { createContext, type ReactNode, use, useId } from 'react';
import { cx } from '#components/ui/cx.ts';

interface FieldState {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

/** State that a `Field` passes to its control. */
const FieldContext = createContext<FieldState | null>(null);

/** The id and ARIA attributes of a control in a `Field`; empty outside one. */
export function useFieldProps(): {
  id?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
  'aria-required'?: true | undefined;
} {
  const field = use(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  };
}

export interface FieldProps {
  label: ReactNode;
  help?: ReactNode;
  /** Replaces the help. */
  error?: string | undefined;
  required?: boolean;
  /** At the end of the label's line. */
  aside?: ReactNode;
  /** The label is for screen readers only. */
  hideLabel?: boolean;
  className?: string;
  children: ReactNode;
}

/** Label, help and error of one control, which gets its id and descriptions from here. */
export function Field({
  label,
  help,
  error,
  required = false,
  aside,
  hideLabel,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const describedBy = error ? `${id}-error` : help ? `${id}-help` : undefined;
  return (
    <FieldContext value={{ id, describedBy, invalid: Boolean(error), required }}>
      <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
        <div className={cx('flex items-baseline justify-between gap-3', hideLabel && 'sr-only')}>
          <label htmlFor={id} id={`${id}-label`} className="text-sm font-medium">
            {label}
            {required && (
              <span aria-hidden className="text-danger">
                {' *'}
              </span>
            )}
          </label>
          {aside}
        </div>
        {children}
        {error && (
          <p id={`${id}-error`} role="alert" className="text-sm text-danger">
            {error}
          </p>
        )}
        {help && !error && (
          <p id={`${id}-help`} className="text-sm text-muted">
            {help}
          </p>
        )}
      </div>
    </FieldContext>
  );
}
