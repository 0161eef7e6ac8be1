// The steps of docs/guides/connect-the-platform.md, in their order and by both routes, against a platform that refuses what the
// real one refuses. The output of `patchbay doctor --live` after each step matches the guide.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { TokenView } from '#lib/messaging/connections/schema.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { root } from './root.ts';
import { type GoingLiveWorld, startGoingLiveWorld } from './testing/going-live-world.ts';
import { isPrinted, readGuideSteps } from './testing/guide-steps.ts';
import { askDoctor, type Diagnosis } from './testing/live-doctor.ts';

const GUIDE = readFileSync(join(root, 'docs', 'guides', 'connect-the-platform.md'), 'utf8');
const STEPS = readGuideSteps(GUIDE);
/** The findings of all steps before the platform is configured. */
const NOT_CONFIGURED = [...GUIDE.matchAll(/^! Platform: .*$/gm)].map(([line]) => line);
const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];
const SHOP = { name: 'Shop', account: IDS.bakery, phone: IDS.bakeryCounter, pin: '246810' };
const LOGIN_CONFIGURATION = '800000000000001';
const OWN_PHONE = '4915557010123';
/** Settings that only the sign-in needs. */
const OF_SIGN_IN = ['MESSAGING_AUTHORIZE_URL', 'MESSAGING_TOKEN_URL', 'MESSAGING_LOGIN_CONFIG_ID'];

const ROUTES = ['the token of a system user', 'a sign-in'] as const;

/** State of one company; a step stores values for later ones. */
interface Walk {
  world: GoingLiveWorld;
  hasSignIn: boolean;
  isSetUp: boolean;
  accessToken: string;
  connectionId: string;
  /** After the last step. */
  diagnosis?: Diagnosis;
}

async function done<Data>({ world }: Walk, name: string, input: object): Promise<Data> {
  const result = await world.act<Data>(name, input);
  if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
  return result.data;
}

/** The initial state: nothing is added, paid, verified, published or configured. */
async function startEmptyAccount(hasSignIn: boolean): Promise<Walk> {
  const unused = hasSignIn ? {} : Object.fromEntries(OF_SIGN_IN.map((name) => [name, undefined]));
  const world = await startGoingLiveWorld({ app_published: false, login_config_id: 'none' }, unused);
  await world.control('POST', `accounts/${SHOP.account}`, {
    has_payment_method: false,
    business_verified: false,
  });
  await world.control('POST', `phone-numbers/${SHOP.phone}`, { status: 'DISCONNECTED' });
  return { world, hasSignIn, isSetUp: false, accessToken: '', connectionId: '' };
}

const diagnose = ({ world, isSetUp }: Walk): Promise<Diagnosis> =>
  askDoctor(world.settings, {
    more: isSetUp
      ? {}
      : Object.fromEntries(
          Object.keys(world.settings).flatMap((name) =>
            name.startsWith('MESSAGING_') ? [[name, undefined]] : [],
          ),
        ),
  });

/** The customer (here the tester) writes to the number. */
const write = (world: GoingLiveWorld) =>
  world.control('POST', 'customer-messages', {
    customer: OWN_PHONE,
    phone_number_id: SHOP.phone,
    text: 'Hello!',
  });

interface Attempt {
  callback_url: string;
  body: { entry: { id: string; changes: { field: string }[] }[] };
}

/** The URL to which the platform sent each kind of the account's notifications. */
async function listDeliveries(world: GoingLiveWorld): Promise<Record<string, string>> {
  const { data } = await world.control<{ data: Attempt[] }>('GET', 'notifications');
  const ofAccount = data.flatMap(({ callback_url: url, body }) =>
    body.entry
      .filter(({ id }) => id === SHOP.account)
      .flatMap(({ changes }) =>
        changes.map(({ field }) => [field, url.replace(/(\/hooks\/messaging\/).+/, '$1…')]),
      ),
  );
  return Object.fromEntries(ofAccount) as Record<string, string>;
}

/** The company's actions in each step, by the step's title. */
const DONE_IN: Record<string, (walk: Walk) => Promise<void>> = {
  async 'Create an app and add your number'({ world }) {
    await world.control('POST', `phone-numbers/${SHOP.phone}`, { status: 'PENDING', pin: null });
  },
  async 'Add a payment method'({ world }) {
    await world.control('POST', `accounts/${SHOP.account}`, { has_payment_method: true });
  },
  async 'Verify your business'({ world }) {
    await world.control('POST', `accounts/${SHOP.account}`, { business_verified: true });
  },
  async 'Publish the app'({ world }) {
    await world.control('POST', 'settings', { app_published: true });
  },
  async 'Choose how Patchbay gets access'(walk) {
    if (walk.hasSignIn) {
      await walk.world.control('POST', 'settings', { login_config_id: LOGIN_CONFIGURATION });
      return;
    }
    const tokens = { scopes: SCOPES, expires_in: 'never' };
    walk.accessToken = (
      await walk.world.control<{ access_token: string }>('POST', 'tokens', tokens)
    ).access_token;
  },
  async 'Configure Patchbay'(walk) {
    walk.isSetUp = true;
  },
  async 'Connect the account'(walk) {
    const { world, accessToken, hasSignIn } = walk;
    const values = { name: SHOP.name, businessAccountId: SHOP.account, subscribes: true };
    if (!hasSignIn) {
      const token = await done<TokenView>(walk, 'describeToken', { accessToken });
      expect(token.accounts.map(({ id }) => id)).toContain(SHOP.account);
      walk.connectionId = (await done<{ id: string }>(walk, 'connectToken', { ...values, accessToken })).id;
      return;
    }
    const input = { authorize_url: (await done<{ url: string }>(walk, 'startLogin', {})).url };
    const { redirect_url } = await world.control<{ redirect_url: string }>('POST', 'sign-in', input);
    const location = (await world.visit(redirect_url)).headers.get('location') ?? '';
    const loginId = new URL(location).searchParams.get('login');
    walk.connectionId = (await done<{ id: string }>(walk, 'saveLogin', { ...values, loginId })).id;
  },
  async 'Register the number'(walk) {
    await done(walk, 'registerPhoneNumber', {
      id: walk.connectionId,
      phoneNumberId: SHOP.phone,
      pin: SHOP.pin,
    });
  },
  async 'Check what arrives where'({ world, connectionId }) {
    const path = `/connections/${connectionId}/message-templates`;
    const { data } = await world.api<{ data: { id: string; name: string }[] }>('GET', path);
    const template = data.find(({ name }) => name === 'announcement');
    await world.control('POST', `templates/${template?.id}`, { status: 'PAUSED' });
    await world.control('POST', `phone-numbers/${SHOP.phone}`, { quality_rating: 'YELLOW' });
    await world.control('POST', `phone-numbers/${SHOP.phone}`, { quality_rating: 'GREEN' });
    await world.control('POST', 'echoes', {
      customer: OWN_PHONE,
      phone_number_id: SHOP.phone,
      text: 'Until six.',
    });
    await write(world);
    const ofApp = `${world.base}/hooks/messaging`;
    await expect
      .poll(() => listDeliveries(world))
      .toEqual({
        messages: `${ofApp}/…`,
        smb_message_echoes: `${ofApp}/…`,
        message_template_status_update: ofApp,
        phone_number_quality_update: ofApp,
      });
  },
  async 'Send and receive the first message'(walk) {
    const { world, connectionId } = walk;
    const message = { templateName: 'hello_world', language: 'en_US' };
    await done(walk, 'sendTestMessage', {
      id: connectionId,
      phoneNumberId: SHOP.phone,
      recipient: OWN_PHONE,
      message,
    });
    const received = () =>
      world.control<{ count: number }>('GET', `messages?template_name=hello_world&to=${OWN_PHONE}`);
    expect((await received()).count).toBe(1);
    await write(world);
    const events = () => world.api<{ data: unknown[] }>('GET', '/events?limit=100');
    await expect.poll(async () => (await events()).data.length).toBeGreaterThan(0);
  },
};

test('each step is walked, in its order, and there is none besides', () => {
  expect(STEPS.map(({ number }) => number)).toEqual(STEPS.map((_step, index) => index + 1));
  expect(STEPS.map(({ title }) => title)).toEqual(Object.keys(DONE_IN));
});

/** Steps that change findings; the results of the other ones are already present. */
const CHANGES_WHAT_IS_SAID = ['Configure Patchbay', 'Connect the account', 'Register the number'];

/** The tested product has no certificate, which the check reports instead. */
const WITHOUT_HTTPS: readonly [secure: string, here: string] = [
  '✓ Callback URL: https://patchbay.example.com/hooks/messaging answers the platform’s handshake from this machine',
  '! Callback URL: https://patchbay.example.com/hooks/messaging answers, but the platform calls only addresses with https…',
];

describe.each(ROUTES)('with %s', (route) => {
  let walk: Walk;
  beforeAll(async () => {
    walk = await startEmptyAccount(route === 'a sign-in');
  });
  afterAll(() => walk.world.stop());

  it.each(STEPS)('$title', async ({ title, findings }) => {
    const step = DONE_IN[title];
    if (!step) throw new Error(`Nobody walks the step “${title}”.`);
    const before = walk.diagnosis ?? (await diagnose(walk));
    await step(walk);
    const { lines, printed } = (walk.diagnosis = await diagnose(walk));
    const promised = (findings.length > 0 ? findings : NOT_CONFIGURED).map((line) =>
      line.replace(...WITHOUT_HTTPS).replaceAll('https://patchbay.example.com', walk.world.base),
    );
    expect(
      promised.filter((line) => !isPrinted(line, lines)),
      printed,
    ).toEqual([]);
    const hadAll = promised.every((line) => isPrinted(line, before.lines));
    expect(hadAll, before.printed).toBe(!CHANGES_WHAT_IS_SAID.includes(title));
    const problems = before.lines.filter((line) => line.startsWith('✗'));
    if (walk.connectionId !== '' && title !== 'Connect the account') expect(problems).toEqual([]);
  });

  it('needs the settings that the guide names, and no others', () => {
    const names = Object.keys(walk.world.settings).filter((name) => /^MESSAGING_|^BASE_URL$/.test(name));
    const named = STEPS.flatMap(({ settings }) => settings);
    expect(names.toSorted()).toEqual(
      named.filter((name) => walk.hasSignIn || !OF_SIGN_IN.includes(name)).toSorted(),
    );
  });

  it('is told what was left out', async () => {
    const sending = async (state: object) => {
      await walk.world.control('POST', `accounts/${SHOP.account}`, state);
      return (await diagnose(walk)).lines.find((line) => line.includes('“Shop”, sending'));
    };
    expect(await sending({ business_verified: false })).toMatch(
      /^! .*The platform limits messages .*verification/,
    );
    expect(await sending({ has_payment_method: false })).toMatch(
      /^✗ .*The platform blocks messages .*payment/,
    );
  });
});
