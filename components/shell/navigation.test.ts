import { expect, test } from 'vitest';
import { isEditorPath } from './navigation.ts';

test.each([
  ['/workflows/019a0b5c-0000-7000-8000-000000000001', true],
  ['/workflows', false],
  ['/workflows/trash', false],
  ['/workflows/019a0b5c-0000-7000-8000-000000000001/other', false],
  ['/runs/019a0b5c-0000-7000-8000-000000000001', false],
])('%s is an editor: %s', (path, expected) => {
  expect(isEditorPath(path)).toBe(expected);
});
