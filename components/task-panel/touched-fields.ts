// Errors of a new task are hidden until the user has left the field.
import { type FocusEvent, useState } from 'react';
import type { CanvasProblem } from '#lib/editor/canvas/problem-types.ts';

/** The fields that the focus has left, by the paths of problems. */
export function useTouchedFields() {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const onBlur = ({ target, relatedTarget }: FocusEvent<HTMLElement>) => {
    const field = target.closest<HTMLElement>('[data-field]');
    const path = field?.dataset['field'];
    // An opening list takes the focus, but the field is still being edited.
    const isOpening = target.getAttribute('aria-expanded') === 'true';
    if (path === undefined || isOpening || field?.contains(relatedTarget)) return;
    setTouched((before) => (before.has(path) ? before : new Set([...before, path])));
  };
  return { touched, onBlur };
}

/** Whether a problem is an error of an untouched field. */
export function isTooEarly({ field, severity }: CanvasProblem, touched: ReadonlySet<string>): boolean {
  if (field === undefined || severity !== 'error') return false;
  return ![...touched].some((path) => isPartOf(field, path) || isPartOf(path, field));
}

const isPartOf = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}[`) || path.startsWith(`${whole}.`);
