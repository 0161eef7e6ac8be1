import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IDS } from './data/businesses.ts';
import { startTestSandbox, templateMessage, type TestSandbox } from './testing/test-sandbox.ts';

const CUSTOMER = '15557010123';
const hello = templateMessage('hello_world');

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
});

const fault = (input: object) => sandbox.control('POST', 'faults', input);
const receivedCount = async () => Number((await sandbox.control('GET', 'messages?direction=out')).count);

describe('faults', () => {
  test('an error n times, with code, status and Retry-After; nothing is accepted meanwhile', async () => {
    await fault({ kind: 'error', code: 131016, http_status: 503, retry_after: 3, times: 2 });
    for (let time = 0; time < 2; time += 1) {
      const answer = await sandbox.send(CUSTOMER, hello);
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 131016 } } });
      expect(answer.headers.get('retry-after')).toBe('3');
    }
    expect(await receivedCount()).toBe(0);
    expect((await sandbox.send(CUSTOMER, hello)).status).toBe(200);
    expect((await sandbox.control('GET', 'faults')).data).toEqual([]);
  });

  test('only for a path, a method and a recipient', async () => {
    await fault({ kind: 'error', path: '/messages', method: 'POST', recipient: '+15557010124' });
    expect((await sandbox.graph('GET', 'me/businesses')).status).toBe(200);
    expect((await sandbox.send(CUSTOMER, hello)).status).toBe(200);
    expect((await sandbox.send('15557010124', hello)).status).toBe(500);
    expect((await sandbox.send('15557010124', hello)).status).toBe(200);
  });

  test('dropping after accepting: the caller gets a reset, the customer gets the message', async () => {
    await fault({ kind: 'drop' });
    await expect(sandbox.send(CUSTOMER, hello)).rejects.toThrow();
    expect(await receivedCount()).toBe(1);
  });

  test('dropping before accepting: a reset too, but nothing was sent', async () => {
    await fault({ kind: 'drop_before' });
    await expect(sandbox.send(CUSTOMER, hello)).rejects.toThrow();
    expect(await receivedCount()).toBe(0);
  });

  test('a late answer: accepted before the caller hears of it', async () => {
    await fault({ kind: 'delay', when: 'after', delay_ms: 60_000 });
    const answer = fetch(`${sandbox.url}/v18.0/${IDS.booksOrders}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messaging_product: 'whatsapp', to: CUSTOMER, ...hello }),
      signal: AbortSignal.timeout(150),
    });
    await expect(answer).rejects.toThrow(/timeout/i);
    expect(await receivedCount()).toBe(1);
  });

  test('an answer that is not JSON', async () => {
    await fault({ kind: 'malformed' });
    await expect(sandbox.graph('GET', 'me')).rejects.toThrow(/JSON/);
  });

  test('what cannot be read is refused with the field', async () => {
    const answer = await sandbox.call('POST', '/__sandbox/faults', { kind: 'explode' });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^kind: /) as string },
    });
    const unknown = await sandbox.call('GET', '/__sandbox/nothing');
    expect(unknown.status).toBe(404);
    expect(unknown.body.known).toContain('POST /__sandbox/faults');
  });
});

test('the log has every graph call, with status, code and fault, and counts them', async () => {
  await fault({ kind: 'error', code: 4, path: 'me/businesses' });
  await sandbox.graph('GET', 'me/businesses');
  await sandbox.send(CUSTOMER, hello);
  const log = await sandbox.control('GET', 'calls?target=graph');
  expect(log).toMatchObject({
    count: 2,
    data: [
      { method: 'GET', path: 'me/businesses', status: 429, error_code: 4, fault: 'error', account: 'admin' },
      {
        method: 'POST',
        path: `${IDS.booksOrders}/messages`,
        status: 200,
        error_code: null,
        body: { to: CUSTOMER, type: 'template' },
      },
    ],
  });
  expect(await sandbox.control('GET', 'calls?path=/messages')).toMatchObject({ count: 1 });
});

test('messages are listed with payload, rendering and times, and can be filtered', async () => {
  await sandbox.send(CUSTOMER, hello);
  await sandbox.send('15557010124', templateMessage('order_confirmation', ['Guest', 'A-1']));
  const { count, data } = await sandbox.control('GET', 'messages?to=15557010124');
  expect(count).toBe(1);
  expect(data?.[0]).toMatchObject({
    direction: 'out',
    phone_number_id: IDS.booksOrders,
    template_name: 'order_confirmation',
    payload: { messaging_product: 'whatsapp', to: '15557010124' },
  });
  expect(Number(data?.[0]?.accepted_at_ms)).toBeCloseTo(Date.now(), -5);
});

test('the clock can be moved and set; reset puts everything back', async () => {
  const { now } = await sandbox.control('POST', 'clock', { now: '2030-01-01T00:00:00Z', move_seconds: 60 });
  expect(String(now)).toMatch(/^2030-01-01T00:01:00/);
  await sandbox.control('POST', 'settings', { pair_burst: 1 });
  await sandbox.openWindow(CUSTOMER);
  await sandbox.control('POST', 'reset');
  expect(Number((await sandbox.control('GET', 'clock')).offset_seconds)).toBe(0);
  expect(await sandbox.control('GET', 'settings')).toMatchObject({ pair_burst: 45 });
  expect(await sandbox.control('GET', 'messages')).toEqual({ count: 0, data: [] });
  expect((await sandbox.graph('GET', 'me')).status).toBe(401);
});

test('strict is off, and can be switched on while it runs: the templates that only it has come along', async () => {
  const list = async () =>
    (await sandbox.graph('GET', `${IDS.books}/message_templates?name=order_ready`)).body.data;
  expect(await list()).toEqual([]);
  expect(await sandbox.control('POST', 'settings', { strict: true })).toMatchObject({ strict: true });
  expect(await list()).toMatchObject([{ name: 'order_ready' }]);
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
  expect(await list()).toEqual([]);
});

test('several sandboxes in one process share nothing', async () => {
  const other = await startTestSandbox();
  await other.openWindow(CUSTOMER);
  expect(await sandbox.control('GET', 'messages')).toMatchObject({ count: 0 });
  expect((await other.graph('GET', 'me', undefined, sandbox.token())).status).toBe(401);
  await other.close();
  await expect(fetch(`${other.url}/healthz`)).rejects.toThrow();
});
