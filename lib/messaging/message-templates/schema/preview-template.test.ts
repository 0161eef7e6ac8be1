import { expect, test } from 'vitest';
import { previewTemplate } from './preview-template.ts';

const components = [
  { type: 'HEADER', format: 'TEXT', text: 'News: {{1}}', example: { header_text: ['Sale'] } },
  {
    type: 'BODY',
    text: 'Hi {{1}}, order {{2}} and {{1}} again.',
    example: { body_text: [['Guest', 'A-1']] },
  },
  { type: 'FOOTER', text: 'Bye' },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}', example: ['https://example.com/1'] },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+1' },
      { type: 'QUICK_REPLY', text: 'Yes' },
    ],
  },
];

test('values are put in their places', () => {
  expect(
    previewTemplate(components, { header: 'Books', body_1: '$& Ann', body_2: 'B-2', button_0: 'B-2' }),
  ).toEqual({
    header: { format: 'TEXT', text: 'News: Books' },
    body: 'Hi $& Ann, order B-2 and $& Ann again.',
    footer: 'Bye',
    buttons: [
      { type: 'URL', text: 'Track', target: 'https://example.com/B-2' },
      { type: 'PHONE_NUMBER', text: 'Call', target: '+1' },
      { type: 'QUICK_REPLY', text: 'Yes', target: null },
    ],
  });
});

test('without values the examples stand in, and without examples the placeholders', () => {
  expect(previewTemplate(components)).toMatchObject({
    header: { text: 'News: Sale' },
    body: 'Hi Guest, order A-1 and Guest again.',
  });
  expect(previewTemplate([{ type: 'BODY', text: 'Hi {{1}}.' }]).body).toBe('Hi {{1}}.');
});

test('what cannot be read is left out', () => {
  expect(previewTemplate([null, 5, { type: 'CAROUSEL' }])).toEqual({
    header: null,
    body: '',
    footer: null,
    buttons: [],
  });
});
