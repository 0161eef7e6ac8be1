// `patchbay doctor --live` before, during and after a company connects its account to a platform that refuses what the real one
// refuses.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IDS, OLD_PIN } from '../sandbox/data/businesses.ts';
import { type GoingLiveWorld, startGoingLiveWorld } from './testing/going-live-world.ts';
import { askDoctor } from './testing/live-doctor.ts';

let world: GoingLiveWorld;
beforeAll(async () => {
  world = await startGoingLiveWorld();
});
afterAll(() => world.stop());

const diagnose = (more: Record<string, string> = {}, options = ['--live']) =>
  askDoctor(world.settings, { more, options });

const mint = async (input: object = {}): Promise<string> => {
  const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging'];
  const tokens = { scopes, expires_in: 'never', ...input };
  return (await world.control<{ access_token: string }>('POST', 'tokens', tokens)).access_token;
};

test('each step says what to do until it is done, and no token is printed', async () => {
  const before = await diagnose();
  expect(before.states, before.printed).toMatchObject({
    'API version': 'ok',
    App: 'ok',
    'Sign-in at the platform': expect.stringMatching(/ok|problem/) as string,
    'Callback URL': 'warning',
    Connections: 'problem',
  });
  expect(before.code).toBe(1);

  const token = await mint();
  const { id } = await world.api<{ id: string }>('POST', '/connections', {
    name: 'Events',
    access_token: token,
    business_account_id: IDS.bookEvents,
  });
  const connected = await diagnose();
  expect(connected.states, connected.printed).toMatchObject({
    '“Events”, access token': 'ok',
    '“Events”, business account': 'ok',
    '“Events”, numbers': 'warning',
  });
  expect(connected.textOf('“Events”, numbers')).toContain('Register');
  expect(connected.states['“Events”, notifications']).not.toBe('ok');

  await world.api('POST', `/connections/${id}/phone-numbers/${IDS.eventsOld}/register`, { pin: OLD_PIN });
  await world.api('POST', `/connections/${id}/notifications`);
  const done = await diagnose();
  expect(done.states, done.printed).toMatchObject({
    'Notifications of the app': 'ok',
    '“Events”, notifications': 'ok',
  });
  // The remaining finding is the low quality of the other number.
  expect(done.textOf('“Events”, numbers')).not.toContain('Register');
  for (const { printed } of [before, connected, done]) {
    expect(printed).not.toContain(token);
    expect(printed).not.toContain(world.app.secret);
  }
});

test('another app secret, an address that nobody answers and an account without payment are problems', async () => {
  const wrong = await diagnose({ MESSAGING_CLIENT_SECRET: 'not-the-secret-of-the-web-process' });
  expect(wrong.states['Callback URL'], wrong.printed).toBe('problem');
  expect(wrong.textOf('Callback URL')).toContain('another app secret');
  const nowhere = await diagnose({ BASE_URL: 'http://127.0.0.1:9' });
  expect(nowhere.textOf('Callback URL'), nowhere.printed).toContain('does not answer');
  await world.control('POST', `accounts/${IDS.bookEvents}`, { has_payment_method: false });
  const unpaid = await diagnose();
  expect(unpaid.states['“Events”, sending'], unpaid.printed).not.toBe('ok');
  expect(unpaid.textOf('“Events”, sending')).toMatch(/payment/i);
});

test('without --live the platform is not asked', async () => {
  const { states } = await diagnose({}, []);
  expect(states).not.toHaveProperty('App');
  expect(states).toHaveProperty('Tables');
});
