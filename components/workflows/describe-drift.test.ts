import { expect, test } from 'vitest';
import type { DriftFinding } from '#lib/workflows/payload-drift.ts';
import { describeDrift } from './payload-drift.tsx';

const finding = (change: Partial<DriftFinding>): DriftFinding => ({
  label: 'phone',
  missing: 0,
  kinds: [{ kind: 'text', events: 1 }],
  tasks: [],
  isFixed: false,
  ...change,
});

test('says the share, and never 0 % or 100 % of what is only nearly so', () => {
  expect(describeDrift(finding({ missing: 24 }), 200)).toBe('is missing or empty in 12\u00a0% of events.');
  expect(describeDrift(finding({ missing: 199 }), 200)).toBe('is missing or empty in 99\u00a0% of events.');
  expect(describeDrift(finding({ missing: 200 }), 200)).toBe('is missing or empty in every event.');
});

test('says every kind with its share', () => {
  const kinds: DriftFinding['kinds'] = [
    { kind: 'number', events: 150 },
    { kind: 'text', events: 40 },
  ];
  expect(describeDrift(finding({ missing: 10, kinds }), 200)).toBe(
    'is missing or empty in 5\u00a0% of events; it is a number in 75\u00a0% of events, text in 20\u00a0%.',
  );
});
