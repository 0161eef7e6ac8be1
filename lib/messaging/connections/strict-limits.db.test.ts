// Limits of the real platform: of the whole business portfolio for customers, and hourly for management calls.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { runAction } from '#lib/messaging/testing/run-action.ts';
import { checkConnection } from './check-connection.ts';
import { createConnection } from './create-connection.ts';
import { getConnection } from './connections.ts';
import { inspectConnection } from './inspect-connection.ts';
import { listPhoneNumbers } from './list-accounts.ts';
import { checkPlatform } from './platform-facts.ts';
import { recheckConnections } from './recheck-connections.ts';

const SCOPES = ['whatsapp_business_manage_events', 'whatsapp_business_messaging'];
const USED_UP = { code: 80007, kind: 'error', times: 1000, path: PLATFORM_IDS.books };

let world: MessagingWorld;
let id: string;
beforeAll(async () => {
  world = await startMessagingWorld({}, { strict: true });
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.control('POST', 'reset');
  await world.runtime.hot.query('delete from connections');
  const { access_token } = await world.mint({ scopes: SCOPES, expires_in: 'never' });
  const input = { name: 'Books', access_token, business_account_id: PLATFORM_IDS.books };
  id = (await createConnection(world.ctx, input)).id;
});

const check = async (which: string) =>
  (await checkConnection(world.ctx, { id })).find((each) => each.id === which);
const minutesUntilCheck = async (): Promise<number> => {
  const { rows } = await world.runtime.hot.query<{ minutes: number }>(
    'select extract(epoch from check_due_at - now()) / 60 as minutes from connections',
  );
  return Number(rows[0]?.minutes ?? 0);
};
/** Calls of the graph API during some work. */
const callsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = (await world.calls()).length;
  await work();
  return (await world.calls()).length - before;
};

describe('the limit of the portfolio', () => {
  test('is what numbers have whose own is no longer returned', async () => {
    const [number] = await listPhoneNumbers(world.ctx, { id });
    expect(number).toMatchObject({ messaging_limit_tier: null, portfolio_messaging_limit: 'TIER_100K' });
    expect((await check('numbers'))?.what).toContain(
      'Up to 100,000 customers a day across the business portfolio',
    );
  });

  test('is missing where the platform does not know the field, and the numbers are there', async () => {
    await world.control('POST', 'faults', { kind: 'error', code: 100, path: 'phone_numbers' });
    const [number] = await listPhoneNumbers(world.ctx, { id });
    expect(number).toMatchObject({
      id: PLATFORM_IDS.booksOrders,
      messaging_limit_tier: null,
      portfolio_messaging_limit: null,
    });
  });
});

describe('the limit of management calls (80007)', () => {
  test('puts checks off, says so, and leaves the connection and what was known of it', async () => {
    await inspectConnection(world.ctx, id);
    await world.control('POST', 'faults', USED_UP);
    expect(await inspectConnection(world.ctx, id)).toBe(true);
    expect(await minutesUntilCheck()).toBeGreaterThan(29);
    expect(await getConnection(world.ctx, { id })).toMatchObject({
      status: 'connected',
      check_problem: expect.stringMatching(
        /no more checks of this account for now.*Messages are still sent.*in about \d+ minutes/,
      ) as string,
    });
    const uses = [{ connectionId: id, accountIds: [], templateNames: [] }];
    const asked = await callsOf(async () => {
      await recheckConnections(world.ctx, { id });
      const facts = await checkPlatform(world.ctx, uses, 0);
      expect(facts[id]?.accounts[0]?.templates.length).toBeGreaterThan(0);
    });
    expect(asked).toBe(0);
  });

  test('waits as long as the platform says', async () => {
    await world.control('POST', 'faults', { ...USED_UP, retry_after: 50 * 60 });
    await inspectConnection(world.ctx, id);
    expect(await minutesUntilCheck()).toBeGreaterThan(49);
  });

  test('is no finding about the connection: its health check says that messages are still sent', async () => {
    await world.control('POST', 'faults', { ...USED_UP, path: `${PLATFORM_IDS.books}/` });
    const checks = await checkConnection(world.ctx, { id });
    expect(checks.filter(({ result }) => result === 'failed')).toEqual([]);
    expect(checks.find((each) => each.id === 'numbers')?.fix).toContain('Messages are still sent');
    expect(checks.find((each) => each.id === 'notifications')?.fix).toContain('Messages are still sent');
  });

  test('keeps nothing from being sent', async () => {
    await world.control('POST', 'settings', { management_calls_per_hour: 1 });
    for (let count = 0; count < 3; count += 1)
      await listPhoneNumbers(world.ctx, { id }).catch(() => undefined);
    await expect(listPhoneNumbers(world.ctx, { id })).rejects.toThrow(/Messages are still sent/);
    const settings = {
      action: 'send_template',
      app_connection_id: id,
      business_account_id: PLATFORM_IDS.books,
      phone_number_id: PLATFORM_IDS.booksOrders,
      recipient: '4915557010123',
      template_name: 'hello_world',
    };
    expect((await runAction(world, settings)).runText).toBe('Template sent successfully.');
  });
});
