import vm from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/core/json/value.ts';
import { formPage } from './form-page.ts';

const URL = 'https://patchbay.example/webhook/abc';

test('a field for each text and number, the URL, and the way to the redirect URL', () => {
  const body: JsonObject = { name: 'Kim', order_number: 7, items: [], customer: {} };
  const page = formPage({
    url: URL,
    body,
    redirectUrl: 'https://example.com/thanks?name={{name}}&x={{other}}#a',
  });
  expect(page).toContain('<label>Name <input name="name" required></label>');
  expect(page).toContain('<label>Order number <input name="order_number" required></label>');
  expect(page.match(/<input/g)).toHaveLength(2);
  expect(page).toContain(`await fetch('${URL}', {`);
  expect(page).toContain(
    `location.assign('https://example.com/thanks?name=' + encodeURIComponent(fields['name']) + '&x=' + '#a');`,
  );
});

test('without a redirect URL the visitor is thanked on the page', () => {
  expect(formPage({ url: URL, body: { name: 'Kim' }, redirectUrl: '' })).toContain(
    `form.replaceWith('Thank you!');`,
  );
});

test('whatever the names and URLs are, they end neither the script nor a text in it, nor an attribute', () => {
  const mark = fc.constantFrom(
    '</script>',
    '<!--',
    "'",
    '"',
    '\\',
    '`',
    '\n',
    '\u2028',
    '\0',
    '\ud800',
    '{{',
    '}}',
    'é',
  );
  const text = fc
    .array(fc.oneof(mark, fc.string({ maxLength: 3 })), { maxLength: 6 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (name, redirectUrl) => {
      const page = formPage({ url: redirectUrl, body: { [name]: 'x' }, redirectUrl });
      const script = /<script>([^]*)<\/script>$/.exec(page)?.[1] ?? '';
      expect(script).not.toMatch(/<[/!]|<script/i);
      expect(() => new vm.Script(script)).not.toThrow();
      const attribute = /<input name="([^"]*)" required>/.exec(page)?.[1];
      expect(attribute).toBeDefined();
      expect(attribute).not.toMatch(/[<>]/);
    }),
  );
});
