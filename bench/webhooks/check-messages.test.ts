import { expect, test } from 'vitest';
import { findProblems } from './check-messages.ts';

const STATUSES = ['sent', 'delivered', 'read'];
const [first, second] = [
  { id: 'wamid.1', to: '15550101001' },
  { id: 'wamid.2', to: '15550101002' },
];
const asked = [first.to, second.to];
const sent = [first, second];
const recorded = sent.map((each) => ({ ...each, statuses: STATUSES }));

test('a message that was sent and recorded once, with each status once, has no problem', () => {
  expect(findProblems(asked, sent, recorded, STATUSES)).toEqual([]);
  expect(
    findProblems(
      asked,
      sent,
      [{ ...first, statuses: ['read', 'sent', 'delivered'] }, ...recorded.slice(1)],
      STATUSES,
    ),
  ).toEqual([]);
});

test.each([
  ['not sent', [first], recorded, '1 not sent, such as 15550101002'],
  [
    'sent twice',
    [...sent, { ...second, id: 'wamid.3' }],
    [...recorded, { ...second, id: 'wamid.3', statuses: STATUSES }],
    '1 sent twice, such as 15550101002',
  ],
  [
    'unasked',
    [...sent, { id: 'wamid.3', to: '15550101003' }],
    [...recorded, { id: 'wamid.3', to: '15550101003', statuses: STATUSES }],
    '1 sent without being asked for, such as 15550101003',
  ],
  [
    'recorded for another customer',
    sent,
    [{ ...first, to: second.to, statuses: STATUSES }, ...recorded.slice(1)],
    '1 not recorded, such as wamid.1',
  ],
  [
    'without a status',
    sent,
    [{ ...first, statuses: ['sent', 'read'] }, ...recorded.slice(1)],
    '1 without the status delivered, such as wamid.1',
  ],
  [
    'with a status twice',
    sent,
    recorded.map((each) => ({ ...each, statuses: [...STATUSES, 'read'] })),
    '2 with the status read twice, such as wamid.1',
  ],
])('%s', (_, logged, known, problem) => {
  expect(findProblems(asked, logged, known, STATUSES)).toEqual([problem]);
});

test('a message that is not recorded has no status either', () => {
  expect(findProblems(asked, sent, recorded.slice(1), STATUSES)).toHaveLength(4);
});
