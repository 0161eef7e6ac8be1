import { expect, test } from 'vitest';
import { formatMessage } from './phone-preview.tsx';

const show = (text: string): string =>
  formatMessage(text)
    .map(({ text: part, mark }) => (mark ? `<${mark}>${part}</${mark}>` : part))
    .join('');

test.each([
  [
    'Hello *Ada*, your _order_ is ~late~ here',
    'Hello <bold>Ada</bold>, your <italic>order</italic> is <struck>late</struck> here',
  ],
  ['```a*b*c```', '<fixed>a*b*c</fixed>'],
  // Marks inside of words, alone, or around spaces are plain text.
  ['snake_case_name and 2*3*4', 'snake_case_name and 2*3*4'],
  ['* not bold *', '* not bold *'],
  ['*', '*'],
  ['{{1}} stays', '{{1}} stays'],
])('%s', (text, shown) => {
  expect(show(text)).toBe(shown);
});
