import { expect, test } from 'vitest';
import { toLocalInput } from './filter-bar.tsx';

test('an instant is shown to the minute; what an address holds instead of one is shown as nothing', () => {
  expect(toLocalInput('2030-01-31T12:34:56.789Z')).toMatch(/^2030-(01-3\d|02-01)T\d\d:\d4$/);
  for (const text of ["'", '', 'yesterday', '2030-02-31T25:00:00Z']) expect(toLocalInput(text)).toBe('');
});
