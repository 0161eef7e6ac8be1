// Outcomes of accepted messages, changes of a customer's user id, and limits: against a platform that refuses what the real one
// refuses (sandbox/README.md, "Strict"), with the product's own processes.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Check, Connection, PhoneNumberView } from '#lib/messaging/connections/schema.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { CUSTOMER, GoingLiveSender, template } from './testing/going-live-sender.ts';
import { type GoingLiveWorld, startGoingLiveWorld } from './testing/going-live-world.ts';

const PICTURE = 'https://example.com/public/samples/parcel.png';

let world: GoingLiveWorld;
let sender: GoingLiveSender;
beforeAll(async () => {
  world = await startGoingLiveWorld();
  sender = new GoingLiveSender(world);
});
afterAll(() => world.stop());
beforeEach(() => sender.reset());

describe('a template as real accounts have them', () => {
  /** The sent template as shown on the phone. */
  async function shownOnPhone(settings: Record<string, unknown>) {
    const { output, error } = await sender.run(settings);
    expect(error).toBe('');
    return (await sender.received()).find(({ id }) => id === output['message_id'])?.rendered;
  }

  it('with named parameters arrives with each in its place', async () => {
    const settings = {
      ...template('order_ready'),
      header_value: 'A-7',
      template_parameters: { first_name: 'Kim', last_day: 'Friday' },
    };
    expect(await shownOnPhone(settings)).toMatchObject({
      header: 'Order A-7',
      text: 'Hi Kim, you can fetch it until Friday at our counter.',
    });
  });

  it('with a carousel arrives with text and button of each card', async () => {
    const card = (place: number, price: string, book: string) => ({
      [`card_${place}_header`]: PICTURE,
      [`card_${place}_body_1`]: price,
      [`card_${place}_button_1`]: book,
    });
    const template_values = { ...card(0, '25', 'atlas'), ...card(1, '12', 'sea') };
    const shown = await shownOnPhone({ ...template('new_books', 'Kim'), template_values });
    expect(shown?.text).toMatch(/1\. The atlas for 25 euros\.\n\n2\. Sea Stories for 12 euros\.$/);
    expect(shown?.buttons.map(({ target }) => target)).toContain('https://example.com/books/sea');
  });

  it('with a coupon arrives with its code', async () => {
    const settings = { ...template('birthday_coupon', 'Kim'), button_parameter: 'KIM10' };
    expect((await shownOnPhone(settings))?.buttons).toMatchObject([{ target: 'KIM10' }]);
  });

  it('with a flow button arrives with the token of the flow', async () => {
    const template_values = { button_0_token: 'token-1', button_0_data: '{"seat": 4}' };
    const settings = { ...template('book_a_reading', 'Kim'), template_values };
    expect((await shownOnPhone(settings))?.buttons).toMatchObject([{ target: 'token-1' }]);
  });

  it('with a value missing is refused at publishing, by the name of what is missing', async () => {
    await expect(sender.publish(template('birthday_coupon', 'Kim'))).rejects.toThrow(
      /Enter the coupon code of “Copy offer code”/,
    );
  });
});

describe('after acceptance', () => {
  const idOfTemplate = async (name: string): Promise<string> => {
    const { data } = await world.api<{ data: { id: string; name: string }[] }>(
      'GET',
      `/connections/${sender.connectionId}/message-templates`,
    );
    return data.find((each) => each.name === name)?.id ?? '';
  };
  const pace = async (state: { pacing?: string | null; status?: string }) =>
    world.control('POST', `templates/${await idOfTemplate('hello_world')}`, state);
  const statusOf = async (messageId: unknown) =>
    (await sender.run({ action: 'get_message_status', message_id: messageId })).output['data'];
  /** The message of a run in the API. */
  const shown = async (runId: string) => (await sender.readRun(runId)).messages[0];

  it('a message of a paused template fails, and its status says why', async () => {
    await pace({ pacing: 'paused' });
    const { output } = await sender.run(template('hello_world'));
    expect(output['message_status']).toBe('paused');
    await expect
      .poll(() => statusOf(output['message_id']))
      .toMatchObject({ status: 'failed', errors: [{ code: 132015 }] });
  });

  it('a message that is held for a quality check says so until it is delivered', async () => {
    await pace({ pacing: 'held_for_quality_assessment' });
    const { output, runId } = await sender.run(template('hello_world'));
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
    const { runId } = await sender.run(template('hello_world'));
    await pace({ status: 'PAUSED' });
    await expect
      .poll(() => shown(runId))
      .toMatchObject({
        status: 'failed',
        problem: expect.stringMatching(/\(132015\)\. Use another template.*send them again/) as string,
      });
  });
});

it('a customer whose user ID changes keeps window, conversation and the run that waits for them', async () => {
  const number = '4915557010777';
  await world.control('POST', 'customer-settings', { customer: CUSTOMER, hides_number: true });
  const { payload } = await sender.write();
  const [before, after] = [String(payload['from_user_id']), `US.1349${number}`];
  const question = { question: 'How many?', answer_by: 'text', answer_kind: 'number', recipient: before };
  const runId = await (await sender.start(question, 'ask_and_wait'))();
  await expect.poll(async () => (await sender.readRun(runId)).status).toBe('waiting');
  const windows = async () =>
    (await world.pool.query('select customer, last_message_at from conversation_windows')).rows as unknown[];
  const [open] = (await windows()) as { last_message_at: Date }[];
  await world.control('POST', 'customer-numbers', { customer: CUSTOMER, number });
  await expect.poll(windows).toEqual([{ customer: after, last_message_at: open?.last_message_at }]);
  await sender.write({ customer: number, text: '12' });
  const { output } = await sender.outcomeOf(runId);
  expect(output).toMatchObject({ answer: '12', recipient: after });
  expect((output['conversation'] as { text: string }[]).map((said) => said.text)).toEqual([
    'How many?',
    '12',
  ]);
});

describe('limits', () => {
  const path = (more = '') => `/connections/${sender.connectionId}${more}`;
  const numbers = async () =>
    (await world.api<{ data: PhoneNumberView[] }>('GET', path('/phone-numbers'))).data;

  it('are those of the business portfolio where numbers have none of their own', async () => {
    for (const id of [IDS.booksOrders, IDS.booksSupport, IDS.events, IDS.eventsOld])
      await world.control('POST', `phone-numbers/${id}`, { messaging_limit_tier: 'TIER_1K' });
    expect(await numbers()).toMatchObject(
      [1, 2].map(() => ({ messaging_limit_tier: null, portfolio_messaging_limit: 'TIER_2K' })),
    );
    const { data } = await world.api<{ data: Check[] }>('GET', path('/checks'));
    expect(data.find(({ id }) => id === 'numbers')?.what).toContain(
      'Up to 2,000 customers a day across the business portfolio',
    );
  });

  it('are counted: customers who were written to first, by any number of the portfolio', async () => {
    const send = await sender.publish({ ...template('hello_world'), recipient: '{{task_1_to}}' });
    await sender.write();
    await expect
      .poll(async () => (await world.pool.query('select 1 from conversation_windows')).rowCount)
      .toBe(1);
    // Earlier tests have sent message templates, too.
    const before = (await numbers())[0]?.customers_in_24_hours ?? 0;
    for (const to of [CUSTOMER, '4915557010124', '4915557010124', '4915557010125'])
      expect((await send({ to })).error).toBe('');
    const counted = { customers_in_24_hours: before + 2 };
    // A count is used again for up to a minute, depending on the time that counting takes (lib/messaging/limits/count-customers.ts).
    const patience = { timeout: 120_000 };
    await expect.poll(numbers, patience).toMatchObject([counted, counted]);
    const limits = async () => (await (await world.visit('/settings/health/limits')).json()) as unknown;
    await expect
      .poll(limits, patience)
      .toMatchObject([{ name: 'Harbour Street Books', portfolioTier: 'TIER_100K', customers: before + 2 }]);
  });

  it('of management calls slow checks down and say so; messages go out', async () => {
    const send = await sender.publish(template('hello_world'));
    await world.control('POST', 'settings', { management_calls_per_hour: 1 });
    await world.pool.query('update connections set check_due_at = now(), checked_at = null');
    await world.pool.query(
      `update graphile_worker._private_jobs set run_at = now() where key = 'connection_checks'`,
    );
    await expect
      .poll(() => world.api<Connection>('GET', path()))
      .toMatchObject({
        status: 'connected',
        check_problem: expect.stringContaining('Messages are still sent') as string,
      });
    const { rows } = await world.pool.query(
      'select 1 from connections where check_due_at > now() + interval $$25 minutes$$',
    );
    expect(rows).toHaveLength(1);
    await expect(numbers()).rejects.toThrow(/Messages are still sent/);
    expect(await send()).toMatchObject({ error: '' });
  });
});
