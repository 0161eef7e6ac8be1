import { expect, test } from 'vitest';
import { PLATFORM_IDS } from '#lib/messaging/testing/messaging-world.ts';
import { setUpSending } from '#lib/messaging/testing/sending.ts';
import { describeWindow } from './find-window.ts';

const sending = setUpSending();
const LAST = '2026-03-01T10:00:00.000Z';
const CLOSES = '2026-03-02T10:00:00.000Z';
const customer = '4915112345678';

test('a window is open for 24 hours after the last message, and unknown without one', async () => {
  const { ctx, runtime, workspaceId } = sending.world;
  await runtime.hot.query(`insert into conversation_windows values ($1, $2, $3, $4, 'wamid.w')`, [
    workspaceId,
    PLATFORM_IDS.booksOrders,
    customer,
    LAST,
  ]);
  const describe = (recipient: string, now = CLOSES, phoneNumberId: string = PLATFORM_IDS.booksOrders) =>
    describeWindow(ctx, { phoneNumberId, recipient }, new Date(now));
  const known = { customer, lastMessageAt: LAST, closesAt: CLOSES };
  expect(await describe('+49 151 1234-5678', '2026-03-02T09:59:59.999Z')).toEqual({
    ...known,
    state: 'open',
  });
  expect(await describe(customer)).toEqual({ ...known, state: 'closed' });
  const unknown = { state: 'unknown', lastMessageAt: null, closesAt: null };
  expect(await describe('15550009999')).toEqual({ ...unknown, customer: '15550009999' });
  expect(await describe(customer, CLOSES, 'another number')).toEqual({ ...unknown, customer });
  expect(await describe('nobody')).toBeNull();
});

test('what another workspace was told is not known here', async () => {
  const { ctx } = sending.world;
  const elsewhere = { ...ctx, workspaceId: '00000000-0000-7000-8000-000000000000' };
  const input = { phoneNumberId: PLATFORM_IDS.booksOrders, recipient: customer };
  expect((await describeWindow(elsewhere, input))?.state).toBe('unknown');
});
