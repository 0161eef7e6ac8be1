import { expect, test } from 'vitest';
import type { CanvasProblem } from '#lib/editor/canvas/find-problems.ts';
import { isTooEarly } from './task-panel.tsx';

const problem = (
  field: string | undefined,
  severity: CanvasProblem['severity'] = 'error',
): CanvasProblem => ({
  taskId: 1,
  field,
  message: 'Enter a value.',
  severity,
});

test('an error waits for its field; warnings and what is wrong with the task do not', () => {
  const nothing = new Set<string>();
  expect(isTooEarly(problem('settings.url'), nothing)).toBe(true);
  expect(isTooEarly(problem('settings.url'), new Set(['settings.url']))).toBe(false);
  expect(isTooEarly(problem('settings.url'), new Set(['settings.url_2']))).toBe(true);
  expect(isTooEarly(problem('settings.url', 'warning'), nothing)).toBe(false);
  expect(isTooEarly(problem(undefined), nothing)).toBe(false);
});

test('a list is left with one of its fields, but a field not with its neighbour', () => {
  const touched = new Set(['settings.conditions[0].left']);
  expect(isTooEarly(problem('settings.conditions'), touched)).toBe(false);
  expect(isTooEarly(problem('settings.conditions[0].left'), touched)).toBe(false);
  expect(isTooEarly(problem('settings.conditions[0].right'), touched)).toBe(true);
});
