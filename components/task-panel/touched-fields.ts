// Errors of a new task wait until somebody has left the field: what was not filled in yet is no mistake.
import { type FocusEvent, useState } from 'react';
import type { CanvasProblem } from '#lib/editor/canvas/problem-types.ts';

/** The fields that the keyboard or the mouse has left, as problems name them. */
export function useTouchedFields() {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const onBlur = ({ target, relatedTarget }: FocusEvent<HTMLElement>) => {
    const field = target.closest<HTMLElement>('[data-field]');
    const path = field?.dataset['field'];
    // A list that opens takes the focus, but the field is still being edited.
    const isOpening = target.getAttribute('aria-expanded') === 'true';
    if (path === undefined || isOpening || field?.contains(relatedTarget)) return;
    setTouched((before) => (before.has(path) ? before : new Set([...before, path])));
  };
  return { touched, onBlur };
}

/** Whether a problem is an error of a field that nobody has left yet. */
export function isTooEarly({ field, severity }: CanvasProblem, touched: ReadonlySet<string>): boolean {
  if (field === undefined || severity !== 'error') return false;
  return ![...touched].some((path) => isPartOf(field, path) || isPartOf(path, field));
}

const isPartOf = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}[`) || path.startsWith(`${whole}.`);
