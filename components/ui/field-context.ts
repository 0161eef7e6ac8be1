'use client';
import { createContext, use } from 'react';

interface FieldState {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

/** State that a `Field` passes to its control. */
export const FieldContext = createContext<FieldState | null>(null);

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
