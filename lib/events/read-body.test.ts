import { expect, test } from 'vitest';
import { readBody } from './event-row.ts';

const shown = (text: string): string => JSON.stringify(readBody(Buffer.from(text)));

test('JSON keeps its digits', () => {
  expect(shown('{"id":12345678901234567890,"price":1.10}')).toBe(
    '{"body":{"id":12345678901234567890,"price":1.10},"body_format":"json"}',
  );
});

test('what is no JSON is shown as text, what is no text as base64, and nothing as null', () => {
  expect(readBody(Buffer.from('{"a":'))).toEqual({ body: '{"a":', body_format: 'text' });
  expect(readBody(Buffer.from([0xff, 0xfe]))).toEqual({
    body: null,
    body_format: 'binary',
    body_base64: '//4=',
  });
  expect(readBody(null)).toEqual({ body: null, body_format: 'none' });
});
