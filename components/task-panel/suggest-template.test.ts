import { expect, test } from 'vitest';
import { suggestTemplate } from './picks.ts';

const option = (name: string, ...components: object[]) => ({
  value: name,
  label: name,
  template: { name, language: 'en_US', components },
});
const body = (text: string) => ({ type: 'BODY', text });

test('a template is suggested that needs nothing to be filled in', () => {
  const order = option('order', body('Hi {{1}}'));
  const picture = option('picture', { type: 'HEADER', format: 'IMAGE' }, body('Look'));
  const link = option('link', body('Track it'), {
    type: 'BUTTONS',
    buttons: [{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' }],
  });
  const plain = option('write_to_us', body('We have news for you. Reply to read them.'));
  expect(suggestTemplate([order, picture, link, plain])).toBe('write_to_us');
  expect(suggestTemplate([order, picture, link])).toBeUndefined();
  expect(suggestTemplate([])).toBeUndefined();
});
