import { expect, test } from 'vitest';
import { inlineSchema } from './list-tools.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('references are replaced by what they name, with what stands beside them', () => {
  const components = { A: { type: 'array', items: ref('B') }, B: { type: 'string', description: 'B.' } };
  expect(
    inlineSchema({ properties: { a: ref('A'), b: { ...ref('B'), description: 'Mine.' } } }, components),
  ).toEqual({
    properties: {
      a: { type: 'array', items: { type: 'string', description: 'B.' } },
      b: { type: 'string', description: 'Mine.' },
    },
  });
});

test('a schema that refers to itself ends', () => {
  const components = { Tree: { type: 'object', properties: { child: ref('Tree') } } };
  expect(inlineSchema(ref('Tree'), components)).toEqual({ type: 'object', properties: { child: {} } });
});

test('variants that a property tells apart become one', () => {
  const variant = (kind: string, more: object) => ({
    type: 'object',
    title: kind,
    properties: { kind: { const: kind }, id: { type: 'integer' }, settings: { type: 'object', ...more } },
    required: ['kind'],
  });
  const oneOf = [
    variant('a', { description: 'Its settings.', properties: {} }),
    variant('b', { required: [] }),
  ];
  expect(inlineSchema({ oneOf }, {})).toEqual({
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['a', 'b'] },
      id: { type: 'integer' },
      settings: { type: 'object', description: 'Its settings.' },
    },
    required: ['kind'],
  });
});

test('other variants stay as they are', () => {
  const schema = { oneOf: [{ type: 'string' }, { type: 'integer' }] };
  expect(inlineSchema(schema, {})).toEqual(schema);
});

test('variants with properties of their own stay as they are', () => {
  const variant = (kind: string, own: string) => ({
    type: 'object',
    properties: { kind: { type: 'string', const: kind }, [own]: { type: 'string' } },
    required: ['kind', own],
    additionalProperties: false,
  });
  const schema = { oneOf: [variant('email', 'address'), variant('webhook', 'url')] };
  expect(inlineSchema(schema, {})).toEqual(schema);
});
