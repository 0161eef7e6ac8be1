// What prevents an account from sending, as reported by a sandbox that refuses what the real platform refuses.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenForPlatform } from '#lib/messaging/testing/listen-for-platform.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { checkConnection } from './check-connection.ts';
import type { MessagingActorContext } from './context.ts';
import { createConnection } from './create-connection.ts';
import { listPhoneNumbers } from './list-accounts.ts';
import { subscribeNotifications } from './subscribe-notifications.ts';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];

let world: MessagingWorld;
let ctx: MessagingActorContext;
let stopListening: () => void;
let id: string;

beforeAll(async () => {
  world = await startMessagingWorld({ MESSAGING_SCOPES: SCOPES.join(' ') }, { strict: true });
  const { baseUrl, close } = await listenForPlatform(world.runtime);
  ctx = { ...world.ctx, baseUrl };
  stopListening = close;
  const { access_token } = await world.mint({ scopes: SCOPES, expires_in: 'never' });
  const input = { name: 'Books', access_token, business_account_id: PLATFORM_IDS.books };
  id = (await createConnection(ctx, input)).id;
  await subscribeNotifications(ctx, { id });
});
afterAll(async () => {
  stopListening();
  await world.end();
});

const sending = async () => (await checkConnection(ctx, { id })).find((each) => each.id === 'sending');

test('a missing payment method is reported by the health check before anything is sent', async () => {
  expect(await sending()).toMatchObject({ result: 'ok' });
  await world.control('POST', `accounts/${PLATFORM_IDS.books}`, { has_payment_method: false });
  expect(await sending()).toMatchObject({
    result: 'failed',
    what: expect.stringContaining('(141006)') as string,
    fix: expect.stringContaining('payment method') as string,
  });
});

test('a wrong app secret names the setting, and neither the connection nor parameters', async () => {
  const other = world.openRuntime({ MESSAGING_APP_SECRET: 'another-secret' });
  const error = await listPhoneNumbers({ ...world.contextOf(other) }, { id }).catch(
    (reason: unknown) => reason,
  );
  await other.close();
  expect(String(error)).toMatch(/App secret refused.*Set MESSAGING_CLIENT_SECRET/);
  expect(String(error)).not.toMatch(/reconnect|parameter mismatch/i);
});
