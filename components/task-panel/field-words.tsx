'use client';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePanel } from './panel-context.tsx';

export interface FieldWords {
  error: string | undefined;
  help: ReactNode;
}

/**
 * The message below a `Field`: the first error, else a warning, else its help.
 * @param own the field's own error
 */
export function useFieldWords(
  path: string,
  help?: ReactNode,
  own: { error?: string | undefined; warning?: string | undefined } = {},
): FieldWords {
  const found = usePanel().problems.filter(
    ({ field }) => field === path || field?.startsWith(`${path}[`) === true,
  );
  const first = (severity: 'error' | 'warning') => found.find((each) => each.severity === severity)?.message;
  const error = own.error ?? first('error');
  const warning = own.warning ?? first('warning');
  return { error, help: error === undefined && warning !== undefined ? <Warning>{warning}</Warning> : help };
}

/** A problem that does not prevent publishing. */
const Warning = ({ children }: { children: string }) => (
  <span className="flex gap-1.5 text-warning">
    <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
    <span className="min-w-0 break-words">
      <strong className="font-medium">Warning:</strong> {children}
    </span>
  </span>
);
