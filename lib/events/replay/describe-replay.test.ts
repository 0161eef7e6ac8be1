import { expect, test } from 'vitest';
import { describeReplay } from './replay-matching.ts';

const preview = {
  new_events: 37,
  already_ran: 14,
  tests: 0,
  receipts: 0,
  rejected: 0,
  removed: 0,
  is_complete: true,
  messages: 37,
  people: 3,
  unknown_recipients: 0,
  has_loops: false,
};

test('says how many events are replayed, and how many messages can leave to how many people', () => {
  expect(describeReplay(preview)).toEqual([
    '37 new events, 14 that already ran.',
    'Up to 37 messages can leave to 3 people. The branches that the workflows take decide.',
  ]);
});

test('says what is left out, and what cannot be known before', () => {
  const words = describeReplay({
    ...preview,
    already_ran: 0,
    tests: 1,
    receipts: 20,
    removed: 2,
    is_complete: false,
    unknown_recipients: 2,
    has_loops: true,
  });
  expect(words).toEqual([
    '37 new events.',
    'Not replayed: 1 test request, 20 delivery receipts, 2 events without body.',
    '37 messages or more can leave to 3 people. The branches that the workflows take decide.',
    'For 2 messages the recipient is known only when the workflow runs.',
    'More events match than are counted here. Filter by time to see all of them.',
  ]);
  expect(describeReplay({ ...preview, new_events: 0, messages: 0 })).toEqual([
    'No new events, 14 that already ran.',
  ]);
});
