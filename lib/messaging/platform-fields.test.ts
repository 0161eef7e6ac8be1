import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { field, objectOf, objectsOf, text, textOrNull, texts, words } from './platform-fields.ts';

const schema = objectOf({
  id: text,
  name: textOrNull,
  message: words,
  scopes: texts,
  size: field((value) => (typeof value === 'number' ? value : 0)),
  inner: objectOf({ id: text }),
  list: objectsOf({ id: text }),
});
const nothing = {
  id: '',
  name: null,
  message: undefined,
  scopes: [],
  size: 0,
  inner: { id: '' },
  list: [],
};

test.for([undefined, null, 5, 'text', [], {}, { inner: 5, list: {}, scopes: 'a', message: 7, size: 'x' }])(
  'of %j nothing is read, and nothing fails',
  (value) => {
    expect(schema.parse(value)).toEqual(nothing);
  },
);

test('a malformed part loses nothing of the rest', () => {
  const answer = parseJson(
    '{"id": 12345678901234567890, "name": "Ann", "scopes": ["a", 1], "list": [null, {"id": "1"}, 2, {}]}',
  );
  expect(z.object({ answer: schema }).parse({ answer }).answer).toMatchObject({
    id: '12345678901234567890',
    name: 'Ann',
    scopes: ['a', '1'],
    list: [{ id: '1' }, { id: '' }],
  });
});
