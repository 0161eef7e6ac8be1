import { expect, test } from 'vitest';
import { toExpiresAt } from './create-key-dialog.tsx';

const FROM = { now: new Date('2026-03-01T10:00:00.000Z'), zone: 'Asia/Tokyo' };

test('days count from now, and never is no instant', async () => {
  expect(await toExpiresAt('30', '', FROM)).toBe('2026-03-31T10:00:00.000Z');
  expect(await toExpiresAt('never', '2026-04-01', FROM)).toBeNull();
});

test('a key works through the whole of its last day, in the zone of the screens', async () => {
  expect(await toExpiresAt('date', '2026-12-31', FROM)).toBe('2026-12-31T15:00:00.000Z');
  expect(await toExpiresAt('date', '', FROM)).toBeUndefined();
});
