import { describe, expect, test } from 'vitest';
import { NumberLiteral } from '#lib/core/json/value.ts';
import { createRedactor, revealJsonText } from './redact.ts';

const ID = 'abcdefghijklmnop';
const values = new Map<string, string | number>([
  [ID, 'p"ss w+rd'],
  ['number_number_nu', 12345678],
  ['longer_longer_lo', 'p"ss w+rd-and-more'],
  ['short_short_shor', 'abc'],
]);

test.each([
  ['as it is: p"ss w+rd!', 'as it is: ••••••!'],
  ['in a URL: p%22ss%20w%2Brd', 'in a URL: ••••••'],
  ['in JSON: "p\\"ss w+rd"', 'in JSON: "••••••"'],
  [`in Base64: ${btoa('p"ss w+rd')}`, 'in Base64: ••••••'],
  ['the longest first: p"ss w+rd-and-more', 'the longest first: ••••••'],
  ['a number: 12345678', 'a number: ••••••'],
  ['too short: abc', 'too short: abc'],
])('%s', (text, expected) => {
  expect(createRedactor(values).text(text)).toBe(expected);
});

test('JSON is redacted in keys, texts and numbers, and stays JSON', () => {
  const value = {
    'p"ss w+rd': ['p"ss w+rd', 12345678, new NumberLiteral('12345678'), 1234, null, true],
  };
  expect(createRedactor(values).json(value)).toEqual({
    '••••••': ['••••••', '••••••', '••••••', 1234, null, true],
  });
});

test('with placeholders a secret is found again', () => {
  const shown = JSON.stringify(createRedactor(values, 'placeholder').json({ token: 'p"ss w+rd', x: 'abc' }));
  expect(shown).toBe(`{"token":"••••••(${ID})","x":"abc"}`);
  expect(JSON.parse(revealJsonText(shown, values))).toEqual({ token: 'p"ss w+rd', x: 'abc' });
  expect(revealJsonText(shown, new Map())).toBe(shown);
});

describe('secrets of the workspace', () => {
  const { text, json } = createRedactor(new Map([['stripe_key', 'sk "live"/8 a+b']]), 'name');

  test('are shown by their name, in whatever way a service writes them', () => {
    const secret = 'sk "live"/8 a+b';
    const forms = [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ a: secret }).toString().slice(2),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64'),
    ];
    for (const form of forms) expect(text(`<${form}>`)).toMatch(/^<\{\{secret\.stripe_key\}\}=*>$/);
    expect(json({ [secret]: [secret] })).toEqual({ '{{secret.stripe_key}}': ['{{secret.stripe_key}}'] });
  });

  test.each([
    ['PHP’s JSON', String.raw`k\/e+y&<\"'é9`],
    ['Python’s JSON', String.raw`k/e+y&<\"'\u00e99`],
    ['PHP’s JSON in ASCII', String.raw`k\/e+y&<\"'\u00e99`],
    ['HTML', 'k/e+y&amp;&lt;"\'é9'],
    ['HTML by PHP', 'k/e+y&amp;&lt;&quot;&#039;é9'],
    ['HTML by Python', 'k/e+y&amp;&lt;&quot;&#x27;é9'],
    ['HTML by Go', 'k/e+y&amp;&lt;&#34;&#39;é9'],
    ['a path', 'k/e+y%26%3C%22%27%C3%A99'],
    ['a URL in lower case', encodeURIComponent(`k/e+y&<"'é9`).toLowerCase()],
  ])('are hidden in %s', (_, written) => {
    const redactor = createRedactor(new Map([['key', `k/e+y&<"'é9`]]), 'name');
    expect(redactor.text(`You sent: ${written}.`)).toBe('You sent: {{secret.key}}.');
  });

  test('are hidden in URLs and forms, whatever a program encodes', () => {
    const redactor = createRedactor(new Map([['key', `a b!c'(d)*~e`]]), 'name');
    for (const written of [
      'a%20b!c%27(d)*~e',
      'a+b%21c%27%28d%29%2A%7Ee',
      'a%20b%21c%27%28d%29%2a~e',
      "a+b!c'(d)*~e",
    ])
      expect(redactor.text(`k=${written}&x=1`)).toBe('k={{secret.key}}&x=1');
  });

  test('are hidden in Base64 for URLs', () => {
    const redactor = createRedactor(new Map([['key', 'ä~?ä~?ä~?']]), 'name');
    const written = Buffer.from('ä~?ä~?ä~?').toString('base64url');
    expect(written).toMatch(/[-_]/);
    expect(redactor.text(written)).toBe('{{secret.key}}');
  });

  test.each(['u', 'us', 'usr', 'user'])('are hidden in what basic authentication sends for %s', (user) => {
    for (const password of ['sk "live"/8 a+b', 'sk "live"/8 a+b.', 'sk "live"/8 a+b..']) {
      const hidden = text(Buffer.from(`${user}:${password}`).toString('base64'));
      expect(hidden).toContain('{{secret.stripe_key}}');
      const left = hidden
        .split('{{secret.stripe_key}}')
        .map((part) => Buffer.from(part, 'base64').toString());
      expect(left.join('|')).not.toMatch(/sk|live|a\+b/);
    }
  });

  test('are shown by their name where an excerpt was cut within them', () => {
    expect(text('You sent sk "live"/')).toBe('You sent {{secret.stripe_key}}');
    expect(text('You sent sk "li')).toBe('You sent {{secret.stripe_key}}');
    expect(text('You sent sk "l')).toBe('You sent sk "l');
  });
});
