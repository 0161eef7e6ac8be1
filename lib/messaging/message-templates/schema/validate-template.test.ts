import { describe, expect, test } from 'vitest';
import { ACCOUNTS } from '../../../../sandbox/data/businesses.ts';
import { seedTemplates } from '../../../../sandbox/data/templates.ts';
import { validateTemplate } from './validate-template.ts';

const BODY = {
  type: 'BODY',
  text: 'Hi {{1}}, order {{2}} is here.',
  example: { body_text: [['Guest', 'A-1']] },
};
const good = { name: 'order_here', language: 'en_US', category: 'UTILITY', components: [BODY] };
const paths = (change: object): string[] => validateTemplate({ ...good, ...change }).map(({ path }) => path);
const ofComponents = (...components: unknown[]): string[] => paths({ components });
const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });
const reply = { type: 'QUICK_REPLY', text: 'Yes' };

describe('spec, create_template', () => {
  test('what the platform itself approved is fine', () => {
    expect(ACCOUNTS.length).toBeGreaterThan(0);
    for (const { name, language, category, components } of seedTemplates(0)) {
      expect(validateTemplate({ name, language, category, components }), name).toEqual([]);
    }
  });

  test.each(['Order', 'order1', 'order-here', 'order here', '', 'größe'])(
    'lowercase letters and underscores only: %j',
    (name) => {
      expect(paths({ name })).toEqual(['name']);
    },
  );

  test('category and language', () => {
    expect(paths({ category: 'SPAM' })).toEqual(['category']);
    expect(paths({ language: 'English' })).toEqual(['language']);
    for (const language of ['en', 'en_US', 'fil', 'zh_CN']) expect(paths({ language })).toEqual([]);
  });
});

describe('spec, Component objects', () => {
  test.each([
    ['no array', { type: 'BODY' }, ['components']],
    ['no BODY', [{ type: 'FOOTER', text: 'Bye' }], ['components']],
    ['two BODYs', [BODY, BODY], ['components']],
    ['an unknown type', [BODY, { type: 'CAROUSEL' }], ['components[1].type']],
    ['an unknown field', [{ ...BODY, colour: 'red' }], ['components[0]']],
    ['a component that is none', [BODY, 5], ['components[1]']],
  ])('%s', (_, components, expected) => {
    expect(paths({ components })).toEqual(expected);
  });

  test('BODY: placeholders 1, 2, 3 … with examples, not at the ends, not adjacent, at most 1024 characters', () => {
    const body = (text: string, ...examples: string[]) =>
      ofComponents({
        type: 'BODY',
        text,
        ...(examples.length > 0 ? { example: { body_text: [examples] } } : {}),
      });
    expect(body('Hello')).toEqual([]);
    expect(body('')).toEqual(['components[0].text']);
    expect(body('a'.repeat(1025))).toEqual(['components[0].text']);
    expect(body('Hi {{1}} there')).toEqual(['components[0].example']);
    expect(body('Hi {{1}} and {{3}} there', 'a', 'b')).toEqual(['components[0].text']);
    expect(body('{{1}} there', 'a')).toEqual(['components[0].text']);
    expect(body('Hi {{1}}', 'a')).toEqual(['components[0].text']);
    expect(body('Hi {{1}} {{2}} there', 'a', 'b')).toEqual(['components[0].text']);
    expect(body('Hi {{name}} there')).toEqual(['components[0].text']);
  });

  test('HEADER: TEXT with at most one placeholder, or media with a sample and no text', () => {
    const header = (fields: object) => ofComponents({ type: 'HEADER', ...fields }, BODY);
    expect(header({ format: 'TEXT', text: 'News' })).toEqual([]);
    expect(header({ format: 'TEXT' })).toEqual(['components[0].text']);
    expect(header({ format: 'TEXT', text: 'a'.repeat(61) })).toEqual(['components[0].text']);
    expect(header({ format: 'TEXT', text: 'A {{1}} b {{2}} c', example: { header_text: ['x'] } })).toEqual([
      'components[0].text',
    ]);
    expect(header({ format: 'TEXT', text: 'A {{1}}' })).toEqual(['components[0].example']);
    for (const format of ['IMAGE', 'VIDEO', 'DOCUMENT'])
      expect(header({ format, example: { header_handle: ['4::a'] } })).toEqual([]);
    expect(header({ format: 'IMAGE' })).toEqual(['components[0].example']);
    expect(header({ format: 'IMAGE', text: 'x', example: { header_handle: ['4::a'] } })).toEqual([
      'components[0].text',
    ]);
    expect(header({ format: 'AUDIO' })).toEqual(['components[0].format']);
  });

  test('FOOTER: no placeholders', () => {
    expect(ofComponents(BODY, { type: 'FOOTER', text: 'Bye' })).toEqual([]);
    expect(ofComponents(BODY, { type: 'FOOTER', text: 'Bye {{1}}' })).toEqual(['components[1].text']);
  });

  test('BUTTONS: at most 3; a URL may end with {{1}}', () => {
    expect(ofComponents(BODY, buttons(reply, reply, reply))).toEqual([]);
    expect(ofComponents(BODY, buttons(reply, reply, reply, reply))).toEqual(['components[1].buttons']);
    expect(ofComponents(BODY, buttons())).toEqual(['components[1].buttons']);
    const url = (text: string, more: object = { example: ['https://example.com/1'] }) =>
      ofComponents(BODY, buttons({ type: 'URL', text: 'Go', url: text, ...more }));
    expect(url('https://example.com/{{1}}')).toEqual([]);
    expect(url('https://example.com/{{1}}/x')).toEqual(['components[1].buttons[0].url']);
    expect(url('https://example.com/{{2}}')).toEqual(['components[1].buttons[0].url']);
    expect(url('https://example.com/{{1}}', {})).toEqual(['components[1].buttons[0].example']);
    expect(url('example.com')).toEqual(['components[1].buttons[0].url']);
    expect(ofComponents(BODY, buttons({ type: 'URL', text: 'Go' }))).toEqual([
      'components[1].buttons[0].url',
    ]);
    expect(ofComponents(BODY, buttons({ ...reply, url: 'https://example.com' }))).toEqual([
      'components[1].buttons[0].url',
    ]);
    expect(
      ofComponents(BODY, buttons({ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+12125550101' })),
    ).toEqual([]);
    expect(ofComponents(BODY, buttons({ type: 'PHONE_NUMBER', text: 'Call', phone_number: 'us' }))).toEqual([
      'components[1].buttons[0].phone_number',
    ]);
    expect(ofComponents(BODY, buttons({ ...reply, text: 'a'.repeat(26) }))).toEqual([
      'components[1].buttons[0].text',
    ]);
  });
});
