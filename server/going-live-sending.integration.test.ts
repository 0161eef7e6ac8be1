// A company sends from its account: every kind of message and every refusal against a platform that refuses what the real
// one refuses (sandbox/README.md, "Strict"), with the product's own processes.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '#lib/messaging/connections/schema.ts';
import type { Run, RunSummary } from '#lib/runs/schema.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { type GoingLiveWorld, startGoingLiveWorld } from './testing/going-live-world.ts';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];
const CUSTOMER = '4915557010123';

let world: GoingLiveWorld;
let connectionId: string;
beforeAll(async () => {
  world = await startGoingLiveWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.control('POST', 'reset');
  await world.pool.query('delete from connections; delete from alerts');
  const tokens = { scopes: SCOPES, expires_in: 'never' };
  const { access_token } = await world.control<{ access_token: string }>('POST', 'tokens', tokens);
  const input = { name: 'Books', access_token, business_account_id: IDS.books };
  connectionId = (await world.api<Connection>('POST', '/connections', input)).id;
  await world.api('POST', `/connections/${connectionId}/notifications`);
});

interface Outcome {
  runId: string;
  output: Record<string, unknown>;
  /** Empty where the task succeeded. */
  error: string;
}

/** Publishes a workflow of one task. @returns starts it by its webhook, and waits until it has ended */
async function publish(settings: Record<string, unknown>, type = 'messaging_business') {
  const sender = { app_connection_id: connectionId, phone_number_id: IDS.booksOrders, recipient: CUSTOMER };
  const { id, webhook } = await world.api<Published>('POST', '/workflows', {
    name: 'Sends',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      { id: 2, type, settings: { ...sender, ...settings } },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const headers = { 'content-type': 'application/json' };
  const ended = async () => {
    const { data } = await world.api<{ data: RunSummary[] }>('GET', `/runs?workflow_id=${id}`);
    return data.find((each) => each.finished_at !== null)?.id;
  };
  return async (): Promise<Outcome> => {
    await fetch(webhook.production_url, { method: 'POST', headers, body: '{}' });
    await expect.poll(ended).toBeDefined();
    const { id: runId, tasks } = await world.api<Run>('GET', `/runs/${await ended()}`);
    const sent = tasks.find((each) => each.task_id === 2);
    return { runId, output: (sent?.output ?? {}) as Outcome['output'], error: sent?.error?.message ?? '' };
  };
}

interface Published {
  id: string;
  webhook: { production_url: string };
}

const run = async (...task: Parameters<typeof publish>): Promise<Outcome> => (await publish(...task))();

const text = (message_text = 'Hello!') => ({ action: 'send_text', message_text });
const template = (template_name: string, ...template_parameters: string[]) => ({
  action: 'send_template',
  business_account_id: IDS.books,
  template_name,
  template_parameters,
});

interface Received {
  id: string;
  text: string;
  type: string;
  payload: Record<string, unknown>;
}
const received = async (): Promise<Received[]> =>
  (await world.control<{ data: Received[] }>('GET', `messages?direction=out&to=${CUSTOMER}`)).data;
const write = (more: object = { text: 'Hello!' }) =>
  world.control<Received>('POST', 'customer-messages', {
    customer: CUSTOMER,
    phone_number_id: IDS.booksOrders,
    ...more,
  });
const events = async () => (await world.api<{ data: unknown[] }>('GET', '/events?limit=100')).data;

/** No refusal of an account, a customer or a number is about the connection or the parameters. */
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

  it('with a picture in PNG arrives; one in WebP says which formats do', async () => {
    await write();
    const picture = (name: string) => ({
      action: 'send_media',
      media_type: 'image',
      media_url: `${world.sandboxUrl}/public/samples/${name}`,
    });
    expect(await run(picture('parcel.png'))).toMatchObject({ error: '' });
    const { error } = await run(picture('sticker.webp'));
    expect(error).toMatch(/image\/webp.*image\/jpeg, image\/png/);
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
    const before = (await world.graphCalls()).length;
    await world.control('POST', 'echoes', {
      customer: CUSTOMER,
      phone_number_id: IDS.booksOrders,
      text: 'Until six.',
    });
    await expect.poll(async () => (await events()).length).toBeGreaterThan(0);
    const { rowCount } = await world.pool.query('select 1 from connections where check_due_at <= now()');
    expect(rowCount).toBe(0);
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
    expect(await world.api('GET', `/connections/${connectionId}`)).toMatchObject({ status: 'connected' });
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
    expect(await world.api('GET', `/connections/${connectionId}`)).toMatchObject({ status: 'connected' });
  });

  it('of a token for good says why', async () => {
    const send = await publish(template('hello_world'));
    await world.control('POST', 'faults', { kind: 'error', code: 190, subcode: 460, times: 10 });
    expect((await send()).error).toContain('changed their password');
  });
});

describe('after acceptance', () => {
  it.each([
    ['opted out of marketing', 'customer', 131050],
    ['is in an experiment of the platform', '4915557019906', 130472],
    ['got too much marketing', '4915557019903', 131049],
  ])('a customer who %s gets nothing, and the message says why', async (_what, who, code) => {
    const recipient = who === 'customer' ? CUSTOMER : who;
    if (code === 131050)
      await world.control('POST', 'customer-marketing', {
        customer: CUSTOMER,
        phone_number_id: IDS.booksOrders,
        marketing: 'stop',
      });
    const { output } = await run({ ...template('back_in_stock', 'the atlas'), recipient });
    const status = async () =>
      (await run({ action: 'get_message_status', message_id: output['message_id'] })).output['data'];
    await expect.poll(status).toMatchObject({ status: 'failed', errors: [{ code }] });
  });

  const idOfTemplate = async (name: string): Promise<string> => {
    const { data } = await world.api<{ data: { id: string; name: string }[] }>(
      'GET',
      `/connections/${connectionId}/message-templates`,
    );
    return data.find((each) => each.name === name)?.id ?? '';
  };
  const pace = async (state: { pacing?: string | null; status?: string }) =>
    world.control('POST', `templates/${await idOfTemplate('hello_world')}`, state);
  const statusOf = async (messageId: unknown) =>
    (await run({ action: 'get_message_status', message_id: messageId })).output['data'];
  /** What the API says of the message that a run sent. */
  const shown = async (runId: string) => {
    const { messages } = await world.api<Run>('GET', `/runs/${runId}`);
    return messages[0];
  };

  it('a message of a paused template fails, and its status says why', async () => {
    await pace({ pacing: 'paused' });
    const { output } = await run(template('hello_world'));
    expect(output['message_status']).toBe('paused');
    await expect
      .poll(() => statusOf(output['message_id']))
      .toMatchObject({ status: 'failed', errors: [{ code: 132015 }] });
  });

  it('a message that is held for a quality check says so until it is delivered', async () => {
    await pace({ pacing: 'held_for_quality_assessment' });
    const { output, runId } = await run(template('hello_world'));
    expect(output['message_status']).toBe('held_for_quality_assessment');
    expect(await shown(runId)).toMatchObject({
      id: output['message_id'],
      status: 'held_for_quality_assessment',
      problem: expect.stringContaining('quality check') as string,
    });
    await pace({ pacing: null });
    await expect.poll(() => shown(runId)).toMatchObject({ status: 'delivered', problem: null });
  });

  it('a message that is held and not sent in the end says why, and what to do', async () => {
    await pace({ pacing: 'held_for_quality_assessment' });
    const { runId } = await run(template('hello_world'));
    await pace({ status: 'PAUSED' });
    await expect
      .poll(() => shown(runId))
      .toMatchObject({
        status: 'failed',
        problem: expect.stringMatching(/\(132015\)\. Use another template.*send them again/) as string,
      });
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
    const numbers = () => world.api('GET', `/connections/${connectionId}/phone-numbers`);
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
