import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { IDS, OLD_PIN } from './data/businesses.ts';
import { startStrictSandbox, type StrictSandbox } from './testing/strict-sandbox.ts';
import { templateMessage } from './testing/test-sandbox.ts';

const CUSTOMER = '4915557010123';

let sandbox: StrictSandbox;
beforeAll(async () => {
  sandbox = await startStrictSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
});

const register = (phoneId: string, pin: string) =>
  sandbox.graph('POST', `${phoneId}/register`, { messaging_product: 'whatsapp', pin });
const send = (phoneId: string) => sandbox.send(CUSTOMER, templateMessage('hello_world'), phoneId);
const statusOf = async (phoneId: string) =>
  (await sandbox.graph('GET', `${phoneId}?fields=status`)).body.status;
const refused = (code: number) => ({ status: 400, body: { error: { code } } });

test('a new number is PENDING and sends (133010) only after it was registered with a PIN', async () => {
  await sandbox.control('POST', `phone-numbers/${IDS.bakeryCounter}`, { status: 'PENDING' });
  expect(await statusOf(IDS.bakeryCounter)).toBe('PENDING');
  expect(await send(IDS.bakeryCounter)).toMatchObject(refused(133010));
  expect(await register(IDS.bakeryCounter, '12')).toMatchObject(refused(100));
  expect(await register(IDS.bakeryCounter, '123456')).toMatchObject({ body: { success: true } });
  expect(await statusOf(IDS.bakeryCounter)).toBe('CONNECTED');
  expect(await send(IDS.bakeryCounter)).toMatchObject({ status: 200 });
});

test('a number with two-step verification needs its PIN; deregistered, it is DISCONNECTED', async () => {
  expect(await statusOf(IDS.eventsOld)).toBe('DISCONNECTED');
  expect(await register(IDS.eventsOld, '111111')).toMatchObject(refused(133005));
  expect(await register(IDS.eventsOld, OLD_PIN)).toMatchObject({ status: 200 });
  expect(await send(IDS.eventsOld)).toMatchObject({ status: 200 });
  await sandbox.graph('POST', `${IDS.eventsOld}/deregister`);
  expect(await statusOf(IDS.eventsOld)).toBe('DISCONNECTED');
  expect(await send(IDS.eventsOld)).toMatchObject(refused(133010));
});

test('ten tries in 72 hours, then 133016, also with the right PIN', async () => {
  for (let count = 0; count < 10; count += 1)
    expect(await register(IDS.eventsOld, '111111')).toMatchObject(refused(133005));
  expect(await register(IDS.eventsOld, OLD_PIN)).toMatchObject(refused(133016));
  await sandbox.control('POST', 'clock', { move_seconds: 72 * 3600 });
  await sandbox.renewToken();
  expect(await register(IDS.eventsOld, OLD_PIN)).toMatchObject({ status: 200 });
});
