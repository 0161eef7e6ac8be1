import { describe, expect, test } from 'vitest';
import { seedTemplates } from '../../../../sandbox/data/templates.ts';
import { listLiveTemplates } from '../../../../sandbox/data/live-templates.ts';
import { describeTemplate, isPlain, slotsOf } from './describe-template.ts';
import { readTemplateParts } from './template-slots.ts';

const keysOf = (components: unknown[], parameterFormat?: string): string[] =>
  readTemplateParts({ components, parameterFormat }).slots.map(({ key }) => key);
const live = (name: string) => {
  const found = listLiveTemplates(0).find((each) => each.name === name);
  if (!found) throw new Error(`The sandbox has no ${name}.`);
  return { components: found.components as unknown[], parameterFormat: found.parameterFormat };
};
const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });

describe('what a template is filled with', () => {
  test('numbers: header, body in order, the URL of a button', () => {
    const { components } =
      seedTemplates(0).find(({ name }) => name === 'shipping_update') ?? expect.unreachable();
    expect(readTemplateParts({ components })).toMatchObject({
      slots: [
        { key: 'header', takes: 'image' },
        { key: 'body_1', takes: 'text', placeholder: '1' },
        { key: 'body_2' },
        { key: 'button_0', takes: 'text', index: 0 },
      ],
      unfillable: [],
    });
  });

  test('`{{2}}` alone takes two values', () => {
    expect(keysOf([{ type: 'BODY', text: 'Only {{2}} here.' }])).toEqual(['body_1', 'body_2']);
  });

  test('platform-conversation §5, NAMED: names in header and body', () => {
    expect(readTemplateParts(live('order_ready')).slots).toMatchObject([
      { key: 'header', placeholder: 'order_id', isNamed: true },
      { key: 'body_first_name', placeholder: 'first_name', isNamed: true },
      { key: 'body_last_day', isNamed: true },
    ]);
    const { components } = live('order_ready');
    expect(keysOf(components)).toEqual(keysOf(components, 'NAMED'));
  });

  test('authentication: the code is asked for once, and stands in text and button', () => {
    expect(readTemplateParts(live('verification_code')).slots).toMatchObject([
      { key: 'body_1' },
      { key: 'button_0', sameAs: 'body_1' },
    ]);
  });

  test('carousel: header, body and buttons of each card', () => {
    expect(readTemplateParts(live('new_books')).slots.map(({ key, card }) => [key, card])).toEqual([
      ['body_1', undefined],
      ['card_0_header', 0],
      ['card_0_body_1', 0],
      ['card_0_button_1', 0],
      ['card_1_header', 1],
      ['card_1_body_1', 1],
      ['card_1_button_1', 1],
    ]);
  });

  test('coupon, flow, limited-time offer, location', () => {
    expect(readTemplateParts(live('birthday_coupon')).slots.at(-1)).toMatchObject({ takes: 'coupon_code' });
    const flow = readTemplateParts(live('book_a_reading')).slots.filter((slot) => slot.in === 'button');
    expect(flow).toMatchObject([
      { takes: 'flow_token', isOptional: true },
      { takes: 'flow_data', isOptional: true },
    ]);
    const offer = (has_expiration: boolean) => [
      { type: 'limited_time_offer', limited_time_offer: { text: 'Ends soon', has_expiration } },
    ];
    expect(keysOf(offer(true))).toEqual(['expires_at']);
    expect(keysOf(offer(false))).toEqual([]);
    expect(keysOf([{ type: 'HEADER', format: 'LOCATION' }])).toEqual([
      'header_latitude',
      'header_longitude',
      'header_name',
      'header_address',
    ]);
  });

  test('buttons that need nothing are sent as they are', () => {
    const fixed = ['QUICK_REPLY', 'PHONE_NUMBER', 'CATALOG', 'VOICE_CALL', 'REQUEST_CONTACT_INFO'];
    const components = [
      buttons(...fixed.map((type) => ({ type, text: 'a' })), { type: 'URL', url: 'https://x' }),
    ];
    expect(isPlain({ components })).toBe(true);
    expect(isPlain(live('book_a_reading'))).toBe(false);
  });
});

describe('parts that are unknown hide no other, and are named', () => {
  test.each([
    ['a component', { type: 'TIMER', seconds: 5 }, 'a part of the type TIMER'],
    ['a header', { type: 'HEADER', format: 'PRODUCT' }, 'a header of the type PRODUCT'],
    [
      'a button',
      buttons(
        { type: 'MPM', text: 'View items' },
        { type: 'URL', text: 'Go', url: 'https://x.example/{{1}}' },
      ),
      'the button “View items” of the type MPM',
    ],
  ])('%s', (_what, part, words) => {
    const components = [{ type: 'BODY', text: 'Hi {{1}} there', added_field: true }, part];
    const { slots, unfillable } = readTemplateParts({ components });
    expect(unfillable).toEqual([words]);
    expect(slots.map(({ key }) => key)).toContain('body_1');
  });

  test('of a card by its number', () => {
    const card = { components: [buttons({ type: 'SPM', text: 'View' })] };
    expect(readTemplateParts({ components: [{ type: 'CAROUSEL', cards: [card, card] }] }).unfillable).toEqual(
      ['the button “View” of the type SPM on card 1', 'the button “View” of the type SPM on card 2'],
    );
  });

  test('what is no component at all counts for nothing', () => {
    for (const components of [null, 'text', [null, 5]])
      expect(readTemplateParts({ components })).toEqual({ slots: [], unfillable: [] });
  });
});

test('facts of version 0.2.0 are read as far as they tell', () => {
  const old = { bodyCount: 2, header: 'image', buttonIndex: 1 } as const;
  expect(slotsOf(old)?.map(({ key }) => key)).toEqual(['header', 'body_1', 'body_2', 'button_1']);
  expect(slotsOf({ ...old, bodyCount: null })).toBeUndefined();
});

test('and facts of today say what version 0.2.0 reads', () => {
  const facts = { name: 'a', language: 'en_US', status: 'APPROVED' };
  for (const [name, plain] of [
    ['order_ready', { bodyCount: null, header: 'text', buttonIndex: null }],
    ['verification_code', { bodyCount: 1, header: null, buttonIndex: 0 }],
    ['new_books', { bodyCount: 1, header: null, buttonIndex: null }],
  ] as const)
    expect(describeTemplate({ ...facts, ...live(name) }), name).toMatchObject(plain);
});
