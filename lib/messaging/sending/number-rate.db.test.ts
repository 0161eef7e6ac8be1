// How fast a number sends: by the level that the platform returned, and slower once it refused a message because of a rate.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConnection } from '#lib/messaging/connections/create-connection.ts';
import { inspectConnection } from '#lib/messaging/connections/inspect-connection.ts';
import { listPhoneNumbers } from '#lib/messaging/connections/list-accounts.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS as IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { failAction } from '#lib/messaging/testing/run-action.ts';
import { limitsOf, takeTurn } from './take-turn.ts';

const CUSTOMER = '4915557010123';
/** The sandbox always refuses messages to it with 131056. */
const LIMITED_CUSTOMER = '4915557019904';
/** The clock of PostgreSQL may be set back a little between two statements. */
const CLOCK_SECONDS = 0.005;

let world: MessagingWorld;
let connectionId: string;
beforeAll(async () => {
  world = await startMessagingWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.control('POST', 'reset');
  for (const table of ['connections', 'send_rates']) await world.runtime.hot.query(`delete from ${table}`);
  const { access_token } = await world.mint({ expires_in: 'never' });
  const input = { name: 'Books', access_token, business_account_id: IDS.books };
  connectionId = (await createConnection(world.ctx, input)).id;
});

/** As another process finds it, which has read no level yet. */
const perSecond = async (phoneNumberId: string): Promise<number> => {
  const { hot } = world.runtime;
  const fresh = Object.create(hot) as typeof hot;
  const { limits } = world.ctx.platform;
  return (await limitsOf(fresh, { connectionId, phoneNumberId }, limits)).messagesPerSecond;
};

test('a number that the platform raised sends 1,000 a second from the next check on, the others as set', async () => {
  await inspectConnection(world.ctx, connectionId);
  expect(await perSecond(IDS.booksOrders)).toBe(80);
  await world.control('POST', `phone-numbers/${IDS.booksOrders}`, { throughput: 'HIGH' });
  expect(await perSecond(IDS.booksOrders)).toBe(80);
  await inspectConnection(world.ctx, connectionId);
  expect(await perSecond(IDS.booksOrders)).toBe(1000);
  expect(await perSecond(IDS.booksSupport)).toBe(80);
  const numbers = await listPhoneNumbers(world.ctx, { id: connectionId });
  expect(Object.fromEntries(numbers.map((number) => [number.id, number.messages_per_second]))).toMatchObject({
    [IDS.booksOrders]: 1000,
    [IDS.booksSupport]: 80,
  });
});

test('one that was never checked, and one that version 0.2.0 checked, send as set', async () => {
  await world.runtime.hot.query('delete from connection_facts');
  expect(await perSecond(IDS.booksOrders)).toBe(80);
  const old = [
    { id: IDS.books, problem: null, phones: [{ id: IDS.booksOrders, label: '1' }], templates: [] },
  ];
  await world.runtime.hot.query('insert into connection_facts values ($1, $2)', [
    connectionId,
    JSON.stringify(old),
  ]);
  expect(await perSecond(IDS.booksOrders)).toBe(80);
});

describe('after a refusal because of a rate', () => {
  const settings = (recipient: string) => ({
    action: 'send_template' as const,
    app_connection_id: connectionId,
    business_account_id: IDS.books,
    phone_number_id: IDS.booksOrders,
    template_name: 'hello_world',
    recipient,
  });
  /** How long the next message waits. */
  const waitOf = async (phoneNumberId: string, recipient: string): Promise<number> => {
    const turnKey = `${phoneNumberId} ${recipient}`;
    const { limits } = world.ctx.platform;
    const turn = await takeTurn(world.runtime.hot, {
      phoneNumberId,
      recipient,
      turnKey,
      isFirstAttempt: true,
      limits,
    });
    return turn.kind === 'wait' ? turn.waitMs / 1000 : turn.seconds;
  };

  test('to one customer, only messages to them wait, as long as the platform says', async () => {
    await world.control('POST', 'settings', { pair_refill_seconds: 60 });
    const error = await failAction(world, settings(LIMITED_CUSTOMER));
    expect(error).toMatchObject({ code: 'rate_exceeded', retry: { kind: 'after', seconds: 60 } });
    const wait = await waitOf(IDS.booksOrders, LIMITED_CUSTOMER);
    expect(wait).toBeLessThanOrEqual(60 + CLOCK_SECONDS);
    expect(wait).toBeGreaterThan(30);
    expect(await waitOf(IDS.booksOrders, CUSTOMER)).toBe(0);
    expect(await waitOf(IDS.booksSupport, LIMITED_CUSTOMER)).toBe(0);
  });

  test('of a number, all its messages wait, a minute at most, and no other number’s', async () => {
    await world.control('POST', 'faults', {
      kind: 'error',
      path: 'messages',
      code: 130429,
      http_status: 429,
      retry_after: 3600,
    });
    const error = await failAction(world, settings(LIMITED_CUSTOMER.replace('9904', '0000')));
    expect(error).toMatchObject({ code: 'rate_exceeded', retry: { kind: 'after', seconds: 3600 } });
    const wait = await waitOf(IDS.booksOrders, CUSTOMER);
    expect(wait).toBeLessThanOrEqual(60 + CLOCK_SECONDS);
    expect(wait).toBeGreaterThan(30);
    expect(await waitOf(IDS.booksSupport, CUSTOMER)).toBe(0);
  });

  test('other refusals delay nothing', async () => {
    await world.control('POST', 'faults', { kind: 'error', path: 'messages', code: 131000, retry_after: 60 });
    await failAction(world, settings(CUSTOMER));
    expect(await waitOf(IDS.booksOrders, CUSTOMER)).toBe(0);
  });
});
