import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '#lib/core/json/value.ts';
import { findPayloadDrift } from './payload-drift.ts';

const tasks = [{ id: 2, name: 'Send' }];
const phone = { label: 'phone', segments: ['task_1_phone'], tasks };
const bodies = (count: number, make: (index: number) => JsonValue): JsonValue[] =>
  Array.from({ length: count }, (_, index) => make(index));

test('counts what is missing, null or empty text, by any way of writing it', () => {
  const values: JsonValue[] = [{ phone: null }, { phone: '' }, {}];
  const seen = bodies(50, (index) => values[index % 10] ?? { phone: '1555', a: [{ b: index }] });
  expect(findPayloadDrift([phone], 1, seen)).toEqual([
    { label: 'phone', missing: 15, kinds: [{ kind: 'text', events: 35 }], tasks },
  ]);
  const deep = { label: 'a[0].b', segments: ['task_1', 'JSON', 'a', '0', 'b'], tasks };
  const flat = { label: 'a_0_b', segments: ['task_1_a_0_b'], tasks };
  const bare = { label: 'a', segments: ['a', '0', 'b'], tasks };
  expect(findPayloadDrift([deep, flat, bare], 1, seen).map(({ missing }) => missing)).toEqual([15, 15, 15]);
});

test('says nothing of few events, of one event among many, or when all is well', () => {
  expect(
    findPayloadDrift(
      [phone],
      1,
      bodies(9, () => ({})),
    ),
  ).toEqual([]);
  expect(
    findPayloadDrift(
      [phone],
      1,
      bodies(200, (index) => ({ phone: index === 0 ? null : '1' })),
    ),
  ).toEqual([]);
  expect(
    findPayloadDrift(
      [phone],
      1,
      bodies(50, () => ({ phone: '1' })),
    ),
  ).toEqual([]);
});

test('kinds: digits as text are numbers beside numbers, and text beside texts', () => {
  const of = (...values: JsonValue[]) =>
    findPayloadDrift(
      [phone],
      1,
      bodies(40, (index) => ({ phone: values[index % values.length] ?? null })),
    )[0]?.kinds;
  expect(of(1, '2', '3')).toBeUndefined();
  expect(of('1', 'A-2')).toBeUndefined();
  expect(of(1, 2, 'none', 3)).toEqual([
    { kind: 'number', events: 30 },
    { kind: 'text', events: 10 },
  ]);
  expect(of([1], {})).toEqual([
    { kind: 'list', events: 20 },
    { kind: 'object', events: 20 },
  ]);
});

test('counts never exceed the events, whatever they hold', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.constantFrom('phone', 'x'), fc.jsonValue()), { minLength: 10 }),
      (seen) => {
        for (const { missing, kinds } of findPayloadDrift([phone], 1, seen as JsonValue[])) {
          const present = kinds.reduce((sum, { events }) => sum + events, 0);
          expect(missing + present).toBeLessThanOrEqual(seen.length);
        }
      },
    ),
  );
});
