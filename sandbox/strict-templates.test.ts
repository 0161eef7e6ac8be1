import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IDS } from './data/businesses.ts';
import {
  eventually,
  type Hook,
  startHook,
  startStrictSandbox,
  type StrictSandbox,
} from './testing/strict-sandbox.ts';

const CUSTOMER = '4915557010123';

let sandbox: StrictSandbox;
let hook: Hook;
beforeAll(async () => {
  [sandbox, hook] = await Promise.all([startStrictSandbox(), startHook()]);
});
afterAll(() => Promise.all([sandbox.close(), hook.close()]));
beforeEach(async () => {
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
});

const send = (name: string, ...components: object[]) =>
  sandbox.send(CUSTOMER, { type: 'template', template: { name, language: { code: 'en_US' }, components } });
const text = (value: string, name?: string) => ({
  type: 'text',
  text: value,
  ...(name === undefined ? {} : { parameter_name: name }),
});
const body = (...parameters: object[]) => ({ type: 'body', parameters });
const button = (sub_type: string, ...parameters: object[]) => ({
  type: 'button',
  sub_type,
  index: '0',
  parameters,
});
const refused = (code: number) => ({ status: 400, body: { error: { code } } });
const received = async () => {
  const { data } = await sandbox.control('GET', `messages?to=${CUSTOMER}`);
  return data?.[0]?.rendered as unknown as { header: string; text: string; buttons: object[]; media: object };
};
const create = (fields: object) =>
  sandbox.graph('POST', `${IDS.books}/message_templates`, {
    name: 'brand_new',
    language: 'en_US',
    category: 'UTILITY',
    ...fields,
  });
const stored = async (name: string) =>
  (await sandbox.graph('GET', `${IDS.books}/message_templates?name=${name}`)).body.data?.[0];

test('the first account has a template of every kind, other accounts have not', async () => {
  expect(await stored('order_ready')).toMatchObject({ parameter_format: 'NAMED' });
  const { data } = (await sandbox.graph('GET', `${IDS.clinic}/message_templates?name=order_ready`)).body;
  expect(data).toEqual([]);
});

describe('named parameters', () => {
  const header = { type: 'header', parameters: [text('A-7', 'order_id')] };

  test('go by their names, in any order', async () => {
    expect(
      await send('order_ready', header, body(text('Friday', 'last_day'), text('Kim', 'first_name'))),
    ).toMatchObject({ status: 200 });
    expect(await received()).toMatchObject({
      header: 'Order A-7',
      text: 'Hi Kim, you can fetch it until Friday at our counter.',
    });
  });

  test.each([
    ['without a name', [text('Kim'), text('Friday')], 100],
    ['with another name', [text('Kim', 'first_name'), text('Friday', 'day')], 100],
    ['one too few', [text('Kim', 'first_name')], 132000],
  ])('are refused %s', async (_what, parameters, code) => {
    expect(await send('order_ready', header, body(...parameters))).toMatchObject(refused(code));
  });

  test('a new template has them with examples under their names', async () => {
    const named = (example: object) =>
      create({
        parameter_format: 'NAMED',
        components: [{ type: 'BODY', text: 'Hi {{first_name}}, welcome.', example }],
      });
    expect(await named({ body_text: [['Kim']] })).toMatchObject(refused(100));
    const example = { body_text_named_params: [{ param_name: 'first_name', example: 'Kim' }] };
    expect(await named(example)).toMatchObject({ status: 200 });
    expect(await stored('brand_new')).toMatchObject({ parameter_format: 'NAMED' });
  });
});

describe('authentication templates', () => {
  const otp = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy it' }] };

  test('the text is the platform’s, and the button is stored as a URL with the code', async () => {
    const category = 'AUTHENTICATION';
    const own = { type: 'BODY', text: 'Your code is {{1}}.', example: { body_text: [['123456']] } };
    expect(await create({ category, components: [own, otp] })).toMatchObject(refused(100));
    expect(await create({ category, components: [{ type: 'BODY' }] })).toMatchObject(refused(100));
    const footer = { type: 'FOOTER', code_expiration_minutes: 5 };
    expect(await create({ category, components: [{ type: 'BODY' }, footer, otp] })).toMatchObject({
      status: 200,
    });
    expect(await stored('brand_new')).toMatchObject({
      components: [
        { type: 'BODY', text: '*{{1}}* is your verification code.' },
        { type: 'FOOTER', text: 'This code expires in 5 minutes.' },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy it' }] },
      ],
    });
  });

  test('are sent with the code in body and button', async () => {
    expect(await send('verification_code', body(text('482913')))).toMatchObject(refused(131008));
    const sent = await send('verification_code', body(text('482913')), button('url', text('482913')));
    expect(sent).toMatchObject({ status: 200 });
    expect((await received()).text).toMatch(/^\*482913\* is your verification code\. For your security/);
  });
});

describe('carousels', () => {
  const card = (index: number, price: string) => ({
    card_index: index,
    components: [
      { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/book.png' } }] },
      body(text(price)),
      {
        type: 'button',
        sub_type: 'quick_reply',
        index: '0',
        parameters: [{ type: 'payload', payload: 'aside' }],
      },
      { type: 'button', sub_type: 'url', index: '1', parameters: [text('atlas')] },
    ],
  });

  test('are sent with every card', async () => {
    const cards = [card(0, '25'), card(1, '12')];
    expect(await send('new_books', body(text('Kim')), { type: 'carousel', cards })).toMatchObject({
      status: 200,
    });
    const message = await received();
    expect(message.text).toMatch(/1\. The atlas for 25 euros\.\n\n2\. Sea Stories for 12 euros\.$/);
    expect(message.buttons).toHaveLength(4);
    expect(message.media).toMatchObject({ kind: 'image' });
  });

  test.each([
    ['no carousel', [], 132000],
    ['a card too few', [card(0, '25')], 132000],
    ['a card twice', [card(0, '25'), card(0, '12')], 131008],
    ['a card without its picture', [card(0, '25'), { ...card(1, '12'), components: [] }], 132012],
  ])('are refused with %s', async (_what, cards, code) => {
    const components = cards.length === 0 ? [] : [{ type: 'carousel', cards }];
    expect(await send('new_books', body(text('Kim')), ...components)).toMatchObject(refused(code));
  });

  test('a new one has two to ten cards of the same shape', async () => {
    const cardOf = (...more: object[]) => ({
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } },
        { type: 'BODY', text: 'A book.' },
        ...more,
      ],
    });
    const carousel = (...cards: object[]) =>
      create({
        category: 'MARKETING',
        components: [
          { type: 'BODY', text: 'New.' },
          { type: 'CAROUSEL', cards },
        ],
      });
    expect(await carousel(cardOf())).toMatchObject(refused(100));
    expect(await carousel(cardOf(), cardOf({ type: 'FOOTER', text: 'Cheap' }))).toMatchObject(refused(100));
    expect(await carousel(cardOf(), cardOf())).toMatchObject({ status: 200 });
  });
});

describe('coupons and flows', () => {
  test('a coupon needs its code', async () => {
    expect(await send('birthday_coupon', body(text('Kim')))).toMatchObject(refused(131008));
    const wrong = button('copy_code', text('KIM10'));
    expect(await send('birthday_coupon', body(text('Kim')), wrong)).toMatchObject(refused(132012));
    const coupon = button('copy_code', { type: 'coupon_code', coupon_code: 'KIM10' });
    expect(await send('birthday_coupon', body(text('Kim')), coupon)).toMatchObject({ status: 200 });
    expect((await received()).buttons).toMatchObject([{ type: 'COPY_CODE', target: 'KIM10' }]);
  });

  test('a flow button needs its action', async () => {
    expect(await send('book_a_reading', body(text('Kim')))).toMatchObject(refused(131008));
    const flow = button('flow', { type: 'action', action: { flow_token: 'token-1' } });
    expect(await send('book_a_reading', body(text('Kim')), flow)).toMatchObject({ status: 200 });
    expect((await received()).buttons).toMatchObject([{ type: 'ASK', payload: 'flow', target: 'token-1' }]);
  });

  test('new ones name their example and their flow', async () => {
    const nameOf = (one: { text?: string }) => `brand_new_${(one.text ?? 'code').toLowerCase()}`;
    const withButton = (one: { text?: string } & Record<string, unknown>) =>
      create({
        name: nameOf(one),
        category: 'MARKETING',
        components: [
          { type: 'BODY', text: 'For you.' },
          { type: 'BUTTONS', buttons: [one] },
        ],
      });
    expect(await withButton({ type: 'COPY_CODE' })).toMatchObject(refused(100));
    expect(await withButton({ type: 'COPY_CODE', example: 'KIM10' })).toMatchObject({ status: 200 });
    expect(await withButton({ type: 'FLOW', text: 'Open' })).toMatchObject(refused(100));
    expect(await withButton({ type: 'FLOW', text: 'Seats', flow_id: '6' })).toMatchObject({ status: 200 });
  });
});

describe('categories', () => {
  test('the platform may take another one at creation, and answers with it', async () => {
    const components = [{ type: 'BODY', text: 'Only today.' }];
    const { body: answer } = await create({ name: 'daily_promo', components });
    expect(answer).toMatchObject({ category: 'MARKETING' });
    expect(await stored('daily_promo')).toMatchObject({ category: 'MARKETING' });
  });

  test('and later, which it tells', async () => {
    await sandbox.control('POST', 'subscriptions', { callback_url: hook.url, verify_token: 'any' });
    const { id } = (await stored('order_confirmation')) as unknown as { id: string };
    await sandbox.control('POST', `templates/${id}`, { category: 'MARKETING' });
    await eventually(() =>
      expect(hook.changes()).toEqual([
        {
          account: IDS.books,
          field: 'template_category_update',
          value: {
            message_template_id: Number(id),
            message_template_name: 'order_confirmation',
            message_template_language: 'en_US',
            previous_category: 'UTILITY',
            new_category: 'MARKETING',
          },
        },
      ]),
    );
    const { body: shown } = await sandbox.graph('GET', `${id}?fields=category,previous_category`);
    expect(shown).toMatchObject({ category: 'MARKETING', previous_category: 'UTILITY' });
  });

  test('and tells it a day before', async () => {
    hook.received.length = 0;
    await sandbox.control('POST', 'subscriptions', { callback_url: hook.url, verify_token: 'any' });
    const { id } = (await stored('order_confirmation')) as unknown as { id: string };
    await sandbox.control('POST', `templates/${id}`, { upcoming_category: 'MARKETING' });
    await eventually(() =>
      expect(hook.changes().at(-1)?.value).toMatchObject({
        new_category: 'UTILITY',
        correct_category: 'MARKETING',
        category_update_timestamp: expect.any(Number) as number,
      }),
    );
    const fields = `${id}?fields=category,correct_category`;
    expect((await sandbox.graph('GET', fields)).body).toMatchObject({ correct_category: 'MARKETING' });
    await sandbox.control('POST', `templates/${id}`, { category: 'MARKETING' });
    expect((await sandbox.graph('GET', fields)).body).not.toHaveProperty('correct_category');
  });
});
