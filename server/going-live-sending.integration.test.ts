// A company sends from its account: every kind of message and every refusal against a platform that refuses what the real
// one refuses (sandbox/README.md, "Strict"), with the product's own processes.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IDS } from '../sandbox/data/businesses.ts';
import { CUSTOMER, GoingLiveSender, template, text } from './testing/going-live-sender.ts';
import { type GoingLiveWorld, startGoingLiveWorld } from './testing/going-live-world.ts';

let world: GoingLiveWorld;
let sender: GoingLiveSender;
beforeAll(async () => {
  world = await startGoingLiveWorld();
  sender = new GoingLiveSender(world);
});
afterAll(() => world.stop());
beforeEach(() => sender.reset());

const publish = (...task: Parameters<GoingLiveSender['publish']>) => sender.publish(...task);
const run = (...task: Parameters<GoingLiveSender['run']>) => sender.run(...task);
const received = () => sender.received();
const write = (more?: object) => sender.write(more);
const events = async () => (await world.api<{ data: unknown[] }>('GET', '/events?limit=100')).data;

/** Refusals about an account, a customer or a number are not reported as problems of the connection or the parameters. */
const NOT_TO_BLAME = /reconnect|parameter mismatch/i;

describe('a message', () => {
  it('of text reaches a customer who wrote in the last 24 hours', async () => {
    await write();
    expect(await run(text('We are open until six.'))).toMatchObject({ error: '' });
    expect((await received()).map((each) => each.text)).toContain('We are open until six.');
  });

  it('of text to anybody else says that the window is closed', async () => {
    expect((await run(text())).error).toMatch(/^Window expired/);
  });

  it('of a template reaches anybody', async () => {
    expect(await run(template('order_confirmation', 'Guest', 'A-17'))).toMatchObject({ error: '' });
    expect((await received())[0]?.text).toContain('A-17');
  });

  it('with a picture in PNG arrives; one in WebP is refused at sending, with what to do', async () => {
    await write();
    const picture = (media_url: string) => ({ action: 'send_media', media_type: 'image', media_url });
    const urlOf = (name: string) => `${world.sandboxUrl}/public/samples/${name}`;
    expect(await run(picture(urlOf('parcel.png')))).toMatchObject({ error: '' });
    const { error } = await run(picture(urlOf('sticker.webp')));
    expect(error).toMatch(/image\/webp.*image\/jpeg, image\/png.*WebP is for stickers: use a JPEG or PNG/);
  });

  it('has a status that can be asked for', async () => {
    const { output } = await run(template('hello_world'));
    await expect
      .poll(
        async () =>
          (await run({ action: 'get_message_status', message_id: output['message_id'] })).output['data'],
      )
      .toMatchObject({ status: 'delivered' });
  });

  it('to a user ID reaches a customer who hides the number', async () => {
    await world.control('POST', 'customer-settings', { customer: CUSTOMER, hides_number: true });
    const { payload } = await write();
    expect(payload['from']).toBeUndefined();
    expect(await run({ ...text('For you.'), recipient: payload['from_user_id'] })).toMatchObject({
      error: '',
    });
    expect((await received()).map((each) => each.text)).toContain('For you.');
  });
});

describe('what a customer sends', () => {
  it('is downloaded with a User-Agent', async () => {
    const { payload } = await write({ image: { base64: Buffer.from('a picture').toString('base64') } });
    const media_id = (payload['image'] as { id: string }).id;
    expect(await run({ action: 'get_media', media_id }, 'messaging_business_more')).toMatchObject({
      error: '',
      output: { size: 9 },
    });
  });

  it('and what staff write in the phone app is recorded; the latter asks the platform nothing', async () => {
    await world.pool.query(`update connections set check_due_at = now() + interval '1 hour'`);
    const before = (await world.graphCalls()).length;
    await world.control('POST', 'echoes', {
      customer: CUSTOMER,
      phone_number_id: IDS.booksOrders,
      text: 'Until six.',
    });
    await expect.poll(async () => (await events()).length).toBeGreaterThan(0);
    const { rowCount } = await world.pool.query('select 1 from connections where check_due_at > now()');
    expect(rowCount).toBe(1);
    expect((await world.graphCalls()).length).toBe(before);
  });
});

describe('a refusal', () => {
  it.each([
    ['a restricted account', { restriction: 131031 }, /^Account restricted/],
    ['an account without a payment method', { has_payment_method: false }, /^Payment problem/],
  ])('of %s is told as such, and once for the connection', async (_what, state, words) => {
    await world.control('POST', `accounts/${IDS.books}`, state);
    for (let count = 0; count < 2; count += 1) {
      const { error } = await run(template('hello_world'));
      expect(error).toMatch(words);
      expect(error).not.toMatch(NOT_TO_BLAME);
    }
    const told = async () => {
      const { rows } = await world.pool.query<{ waiting: number; told: number }>(
        `select (select count(*)::int from account_notices) as waiting,
           (select count(*)::int from alerts where content ->> 'title' like 'The account of the connection %') as told`,
      );
      return rows[0];
    };
    await expect.poll(told).toEqual({ waiting: 0, told: 1 });
    expect(await world.api('GET', `/connections/${sender.connectionId}`)).toMatchObject({
      status: 'connected',
    });
  });

  it('of a number that is not registered says so and where to register it', async () => {
    const send = await publish(template('hello_world'));
    await world.control('POST', `phone-numbers/${IDS.booksOrders}`, { status: 'DISCONNECTED' });
    const { error } = await send();
    expect(error).toMatch(/^Phone number not registered/);
    expect(error).toMatch(/page of the connection/);
    expect(error).not.toMatch(NOT_TO_BLAME);
  });

  it('of an authentication template to a user ID says that the number is needed', async () => {
    await world.control('POST', 'customer-settings', { customer: CUSTOMER, hides_number: true });
    const { payload } = await write();
    const settings = { ...template('verification_code', '482913'), button_parameter: '482913' };
    const { error } = await run({ ...settings, recipient: payload['from_user_id'] });
    expect(error).toMatch(/phone number needed/i);
    expect(error).not.toMatch(NOT_TO_BLAME);
  });

  it('once of a token that is accepted afterwards ends nothing', async () => {
    const send = await publish(template('hello_world'));
    await world.control('POST', 'faults', { kind: 'error', code: 190, subcode: 460 });
    expect(await send()).toMatchObject({ error: '' });
    expect(await world.api('GET', `/connections/${sender.connectionId}`)).toMatchObject({
      status: 'connected',
    });
  });

  it('of a token for good says why', async () => {
    const send = await publish(template('hello_world'));
    await world.control('POST', 'faults', { kind: 'error', code: 190, subcode: 460, times: 10 });
    expect((await send()).error).toContain('changed their password');
  });
});

it('a customer who opted out of marketing is sent no marketing any more, once the platform has reported it', async () => {
  await world.control('POST', 'customer-marketing', {
    customer: CUSTOMER,
    phone_number_id: IDS.booksOrders,
    marketing: 'stop',
  });
  const consent = () => world.api<object>('GET', `/customers/${CUSTOMER}/consent`);
  await expect
    .poll(consent)
    .toMatchObject({ marketing: { state: 'stopped', evidence: { kind: 'preference' } } });
  expect((await run(template('back_in_stock', 'the atlas'))).error).toMatch(/^Customer stopped/);
  expect(await run(template('hello_world'))).toMatchObject({ error: '' });
});

describe('after acceptance', () => {
  it.each([
    ['is in an experiment of the platform', '4915557019906', 130472],
    ['got too much marketing', '4915557019903', 131049],
  ])('a customer who %s gets nothing, and the message says why', async (_what, recipient, code) => {
    const { output } = await run({ ...template('back_in_stock', 'the atlas'), recipient });
    const status = async () =>
      (await run({ action: 'get_message_status', message_id: output['message_id'] })).output['data'];
    await expect.poll(status).toMatchObject({ status: 'failed', errors: [{ code }] });
  });
});

describe('the calls', () => {
  it('of an app that requires the app secret are signed with it', async () => {
    await world.control('POST', 'settings', { require_app_secret: true });
    expect(await run(template('hello_world'))).toMatchObject({ error: '' });
    expect((await world.graphCalls()).filter(({ status }) => status >= 400)).toEqual([]);
  });

  it('of background checks slow down when most of them are used up; messages do not', async () => {
    await world.control('POST', 'settings', { management_calls_per_hour: 40 });
    const numbers = () => world.api('GET', `/connections/${sender.connectionId}/phone-numbers`);
    for (let count = 0; count < 28; count += 1) await numbers();
    await world.pool.query(`update connections set check_due_at = now(), checked_at = null`);
    await world.pool.query(
      `update graphile_worker._private_jobs set run_at = now() where key = 'connection_checks'`,
    );
    await expect.poll(minutesUntilCheck).toBeGreaterThan(60);
    expect(await run(template('hello_world'))).toMatchObject({ error: '' });
  });

  const minutesUntilCheck = async (): Promise<number> => {
    const { rows } = await world.pool.query<{ minutes: number }>(
      `select round(extract(epoch from check_due_at - now()) / 60)::int as minutes from connections`,
    );
    return rows[0]?.minutes ?? 0;
  };
});
