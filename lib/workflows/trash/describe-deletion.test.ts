import { expect, test } from 'vitest';
import { describeDeletion } from './schema.ts';

const preview = { isPublished: true, active: true, runsInProgress: 0, waitingCustomers: 0, calledBy: [] };

test('says what callers get, and how to get the workflow back', () => {
  expect(describeDeletion(preview, false)).toEqual([
    'Callers of its webhook URLs get 404, and their requests are not saved.',
    'You can restore it from the trash for 30 days. Its runs and events stay, with its name.',
  ]);
  expect(describeDeletion({ ...preview, isPublished: false }, false)[0]).toContain('404 instead of 409');
});

test('says which workflows call it', () => {
  expect(describeDeletion({ ...preview, calledBy: ['Orders'] }, false)[1]).toBe(
    '“Orders” calls this workflow. Those calls will fail.',
  );
  expect(describeDeletion({ ...preview, calledBy: ['A', 'B', 'C'] }, false)[1]).toBe(
    '“A”, “B” and “C” call this workflow. Those calls will fail.',
  );
});

test('says who waits and what is under way, and what becomes of it', () => {
  const busy = { ...preview, waitingCustomers: 3, runsInProgress: 12 };
  expect(describeDeletion(busy, false).slice(1, 3)).toEqual([
    '3 customers are waiting for an answer. Their runs continue.',
    '12 runs are in progress. They continue.',
  ]);
  expect(describeDeletion(busy, true).slice(1, 3)).toEqual([
    '3 customers are waiting for an answer. They get no further message.',
    '12 runs are in progress. They are cancelled.',
  ]);
  const one = { ...preview, waitingCustomers: 1, runsInProgress: 1 };
  expect(describeDeletion(one, true).slice(1, 3)).toEqual([
    '1 customer is waiting for an answer. They get no further message.',
    '1 run is in progress. It is cancelled.',
  ]);
  expect(describeDeletion({ ...preview, runsInProgress: 1000 }, false)[1]).toContain(
    '1,000 or more runs are',
  );
});
