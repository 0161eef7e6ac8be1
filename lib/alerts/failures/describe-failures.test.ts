import { expect, test } from 'vitest';
import { describeFailures } from './record-failures.ts';

test.each([
  [1, '1 minute from now'],
  [60, '60 minutes from now'],
  [1440, '24 hours from now'],
])('after a cool-down of %i, further ones come %s', (cooldownMinutes, words) => {
  const { paragraphs } = describeFailures(
    { count: 1, sinceMs: 0, isDigest: false },
    {
      workflowId: 'w',
      workflowName: 'Orders',
      run: { id: 'r', error: null, taskName: null },
      cooldownMinutes,
      zone: 'UTC',
    },
  );
  expect(paragraphs.at(-1)).toContain(`you get them in one alert, ${words} at the earliest.`);
});
