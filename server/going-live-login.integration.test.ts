// Signing in at the platform without a login configuration: its plain login takes the scopes of the settings, its Login for Business
// refuses them.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connection } from '#lib/messaging/connections/schema.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { SCOPES } from './testing/going-live-sender.ts';
import { type GoingLiveWorld, startGoingLiveWorld } from './testing/going-live-world.ts';

let world: GoingLiveWorld;
beforeAll(async () => {
  world = await startGoingLiveWorld(
    {},
    { MESSAGING_LOGIN_CONFIG_ID: '', MESSAGING_SCOPES: SCOPES.join(' ') },
  );
});
afterAll(() => world.stop());
beforeEach(() => world.control('POST', 'reset'));

const authorizeUrl = async (): Promise<string> => {
  const result = await world.act<{ url: string }>('startLogin', {});
  if (!result.ok) throw new Error(result.error.message);
  return result.data.url;
};

it('the plain login is asked for the scopes of the settings, and connects', async () => {
  await world.control('POST', 'settings', { strict: false });
  const input = { authorize_url: await authorizeUrl() };
  const query = new URL(input.authorize_url).searchParams;
  expect(query.get('scope')?.split(' ')).toEqual(expect.arrayContaining(SCOPES));
  expect(query.has('config_id')).toBe(false);
  const { redirect_url } = await world.control<{ redirect_url: string }>('POST', 'sign-in', input);
  const next = (await world.visit(redirect_url)).headers.get('location') ?? '';
  const loginId = new URL(next).searchParams.get('login');
  const saved = await world.act<{ id: string }>('saveLogin', {
    loginId,
    name: 'Books',
    businessAccountId: IDS.books,
    subscribes: false,
  });
  const id = saved.ok ? saved.data.id : '';
  expect(await world.api<Connection>('GET', `/connections/${id}`)).toMatchObject({ status: 'connected' });
});

it('Login for Business shows its own page that the app is not available, and sends nobody back', async () => {
  const response = await fetch(await authorizeUrl(), { redirect: 'manual' });
  expect(response.headers.get('location')).toBeNull();
  expect(await response.text()).toMatch(/app isn(’|&#39;|&rsquo;|')t available/i);
});
