// Templates of real accounts, sent by the task to a sandbox that refuses what the real platform refuses (sandbox/README.md,
// "Strict").
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inspectConnection } from '#lib/messaging/connections/inspect-connection.ts';
import { loadPlatformFacts } from '#lib/messaging/connections/platform-facts.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';
import { checkPicks } from '#lib/tasks/picks.ts';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];
const CUSTOMER = '4915557010123';
const PICTURE = 'https://example.com/public/samples/parcel.png';

let world: MessagingWorld;
let connectionId: string;

beforeAll(async () => {
  world = await startMessagingWorld({ MESSAGING_SCOPES: SCOPES.join(' ') }, { strict: true });
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.control('POST', 'reset');
  await world.runtime.hot.query('delete from connections');
  const tokens = await world.mint({ scopes: SCOPES, expires_in: 'never' });
  connectionId = (await world.connect({ tokens })).id;
  await inspectConnection(world.ctx, connectionId);
});

const settingsOf = (template_name: string, more: object) => ({
  action: 'send_template',
  app_connection_id: connectionId,
  business_account_id: PLATFORM_IDS.books,
  phone_number_id: PLATFORM_IDS.booksOrders,
  recipient: CUSTOMER,
  template_name,
  ...more,
});
interface Rendered {
  header: string | null;
  text: string;
  buttons: { target: string }[];
}
/** The message on the phone that the task sends. */
async function send(name: string, settings: object, body = {}): Promise<Rendered> {
  const { output } = await runAction(world, settingsOf(name, settings), { body });
  const message = (await world.messages(`to=${CUSTOMER}`)).find(({ id }) => id === output['message_id']);
  return (message as unknown as { rendered: Rendered }).rendered;
}
/** Problems for which publishing is refused, as `field: message`. */
async function problems(name: string, settings: object): Promise<string[]> {
  const facts = await loadPlatformFacts(world.ctx, [connectionId]);
  return checkPicks({ type: 'messaging_business', settings: settingsOf(name, settings) }, facts).map(
    ({ path, message }) => `${path.replace('settings.', '')}: ${message}`,
  );
}

describe('named parameters', () => {
  const named = { first_name: '{{task_1_name}}', last_day: 'Friday' };
  const whole = {
    header: 'Order A-7',
    text: 'Hi Kim, you can fetch it until Friday at our counter.',
  };

  test.each([
    ['an object', named],
    ['the text of an object', '{"last_day": "Friday", "first_name": "{{task_1_name}}"}'],
    ['a variable that gives an object', '{{task_1_all}}'],
    ['a list in the order of the text, as it was saved before', ['{{task_1_name}}', 'Friday']],
  ])('are sent under their names: %s', async (_what, template_parameters) => {
    const settings = { header_value: 'A-7', template_parameters };
    const body = { name: 'Kim', all: { first_name: 'Kim', last_day: 'Friday' } };
    expect(await send('order_ready', settings, body)).toMatchObject(whole);
    expect(await problems('order_ready', settings)).toEqual([]);
  });

  test('publishing names the one that is missing, and one that the template does not have', async () => {
    const header_value = 'A-7';
    expect(
      await problems('order_ready', { header_value, template_parameters: { first_name: 'Kim' } }),
    ).toEqual(['template_parameters.last_day: Enter a value for {{last_day}} of “order_ready”.']);
    const parameters = { ...named, day: 'Friday' };
    expect(await problems('order_ready', { header_value, template_parameters: parameters })).toEqual([
      'template_parameters: “order_ready” has no parameter “day”. It has first_name, last_day.',
    ]);
    expect(await problems('order_ready', { template_parameters: named })).toEqual([
      'header_value: Enter the text for {{order_id}} in the header of “order_ready”.',
    ]);
    expect(await problems('order_confirmation', { template_parameters: named })).toEqual([
      'template_parameters: The parameters of “order_confirmation” have no names. Enter a list of 2, in their order.',
    ]);
  });

  test('are a fallback’s, too', async () => {
    await world.customerWrites(CUSTOMER);
    await world.control('POST', 'clock', { move_seconds: 90_000 });
    const fallback = { fallback_template_name: 'birthday_coupon', fallback_template_parameters: ['Kim'] };
    const text = { action: 'send_text', message_text: 'Hi' };
    expect(await problems('', { ...text, ...fallback })).toEqual([
      'fallback_template_name: “birthday_coupon” needs the coupon code of “Copy offer code”, which a fallback cannot have. Select a template with a body only.',
    ]);
  });
});

describe('authentication', () => {
  test('the code goes into text and button, whether it is said once or twice', async () => {
    const once = { template_parameters: ['{{task_1_code}}'] };
    for (const more of [{}, { button_parameter: '{{task_1_code}}' }]) {
      const settings = { ...once, ...more };
      const { text, buttons } = await send('verification_code', settings, { code: '482913' });
      expect(text).toMatch(/^\*482913\* is your verification code/);
      expect(buttons[0]?.target).toMatch(/otp482913$/);
      expect(await problems('verification_code', settings)).toEqual([]);
    }
    expect(await problems('verification_code', {})).toEqual([
      'template_parameters[0]: Enter a value for {{1}} of “verification_code”.',
    ]);
  });

  test('as a fallback, it is sent with its button', async () => {
    const fallback = {
      action: 'send_text',
      message_text: 'Hi',
      fallback_template_name: 'verification_code',
      fallback_template_parameters: ['482913'],
    };
    expect(await problems('', fallback)).toEqual([]);
    const { output } = await runAction(world, { ...settingsOf('', fallback), recipient: '4915557010199' });
    expect(output).toMatchObject({ sent: 'template', template_name: 'verification_code' });
  });
});

describe('carousels', () => {
  const cards = {
    card_0_header: PICTURE,
    card_0_body_1: '{{task_1_price}}',
    card_0_button_1: 'atlas',
    card_1_header: PICTURE,
    card_1_body_1: '12',
    card_1_button_1: 'sea',
  };
  const settings = { template_parameters: ['Kim'], template_values: cards };

  test('are sent with header, text and buttons of each card', async () => {
    const { text, buttons } = await send('new_books', settings, { price: 25 });
    expect(text).toMatch(/1\. The atlas for 25 euros\.\n\n2\. Sea Stories for 12 euros\.$/);
    expect(buttons.map(({ target }) => target)).toEqual([
      '',
      'https://example.com/books/atlas',
      '',
      'https://example.com/books/sea',
    ]);
    expect(await problems('new_books', settings)).toEqual([]);
  });

  test('also where no check has seen the template yet', async () => {
    await world.runtime.hot.query('delete from connection_facts');
    await world.runtime.hot.query('update connections set checked_at = now()');
    expect((await send('new_books', settings, { price: 25 })).text).toContain('1. The atlas for 25 euros.');
  });

  test('publishing names what a card lacks, and what cannot be read', async () => {
    const { card_1_header: _picture, ...rest } = cards;
    const template_values = { ...rest, card_0_header: 'atlas.png' };
    expect(await problems('new_books', { template_parameters: ['Kim'], template_values })).toEqual([
      'template_values.card_0_header: It must be the public URL of the image, starting with https://, or the id of an uploaded file.',
      'template_values.card_1_header: Enter the image for the header on card 2 of “new_books”.',
    ]);
  });

  test('a value that cannot be read fails the task by its name', async () => {
    const bad = { ...settings, template_values: { ...cards, card_0_header: '{{task_1_picture}}' } };
    const error = await failAction(world, settingsOf('new_books', bad), { body: { picture: 'atlas.png' } });
    expect(error).toMatchObject({
      code: 'media_failure',
      message: expect.stringContaining('template_values.card_0_header') as string,
    });
  });
});

describe('coupons and flows', () => {
  test('the code of a coupon', async () => {
    const settings = { template_parameters: ['Kim'], button_parameter: 'KIM10' };
    expect((await send('birthday_coupon', settings)).buttons).toMatchObject([{ target: 'KIM10' }]);
    expect(await problems('birthday_coupon', settings)).toEqual([]);
    expect(await problems('birthday_coupon', { template_parameters: ['Kim'] })).toEqual([
      'button_parameter: Enter the coupon code of “Copy offer code” of “birthday_coupon”.',
    ]);
    const long = { ...settings, button_parameter: 'A'.repeat(21) };
    expect(await problems('birthday_coupon', long)).toEqual([
      'button_parameter: The button parameter can have at most 20 characters; it has 21.',
    ]);
  });

  test('a flow has its action, with its token and data or without', async () => {
    const template_parameters = ['Kim'];
    expect((await send('book_a_reading', { template_parameters })).buttons).toMatchObject([{ target: '' }]);
    const template_values = { button_0_token: '{{task_1_token}}', button_0_data: '{"seat": 4}' };
    const settings = { template_parameters, template_values };
    const { buttons } = await send('book_a_reading', settings, { token: 'token-1' });
    expect(buttons).toMatchObject([{ target: 'token-1' }]);
    expect(await problems('book_a_reading', settings)).toEqual([]);
    const unreadable = { template_parameters, template_values: { button_0_data: 'seat 4' } };
    expect(await problems('book_a_reading', unreadable)).toEqual([
      'template_values.button_0_data: It must be a JSON object, such as {"name": "Guest"}.',
    ]);
  });
});

describe('creating', () => {
  const create = (template_name: string, template_category: string, template_components: unknown[]) =>
    runAction(world, {
      action: 'create_template',
      app_connection_id: connectionId,
      business_account_id: PLATFORM_IDS.books,
      template_name,
      template_category,
      template_components,
    });

  test('an authentication template without a text of its own', async () => {
    const { output } = await create('sign_in_code', 'AUTHENTICATION', [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 5 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ]);
    expect(output).toMatchObject({ status: 'PENDING' });
    expect(output).not.toHaveProperty('note');
  });

  test('another category than was asked for is told', async () => {
    const { output, runText } = await create('daily_promo', 'UTILITY', [
      { type: 'BODY', text: 'Only today.' },
    ]);
    const note = 'You asked for Utility, the platform made it Marketing.';
    expect(output).toMatchObject({ category: 'MARKETING', note });
    expect(runText).toBe(`Template created successfully. ${note}`);
    const { rows } = await world.runtime.hot.query(
      'select category from requested_categories where template_id = $1',
      [output['template_id']],
    );
    expect(rows).toEqual([{ category: 'UTILITY' }]);
  });
});
