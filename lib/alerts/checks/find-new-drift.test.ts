import { expect, test } from 'vitest';
import type { JsonValue } from '#lib/core/json/value.ts';
import { findNewDrift } from './check-payloads.ts';

const uses = [{ label: 'phone', segments: ['task_1_phone'], tasks: [{ id: 2, name: 'Send' }] }];
const times = (count: number, body: JsonValue): JsonValue[] => Array.from({ length: count }, () => body);
const find = (...bodies: JsonValue[][]) => findNewDrift(uses, 1, bodies.flat());

const WITH = { phone: '49171' };

test('a field that newer events lack', () => {
  expect(find(times(10, {}), times(190, WITH))).toEqual([
    {
      label: 'phone',
      change: 'is missing in 10 of the last 50 events, and was always there before',
      tasks: [{ id: 2, name: 'Send' }],
    },
  ]);
});

test('one event in ten that lacks it, as always, is no news', () => {
  const usual = [...times(9, WITH), {}];
  expect(find(...Array.from({ length: 20 }, () => usual))).toEqual([]);
  expect(find(times(5, {}), times(195, WITH))).toEqual([]);
});

test('a field that has another kind of value now', () => {
  const [found] = find(times(50, { phone: { number: '49171' } }), times(150, WITH));
  expect(found?.change).toBe('is now an object in 50 of the last 50 events, and was text before');
  expect(find(times(50, { phone: 49171 }), times(50, WITH))[0]?.change).toContain('is now a number');
  expect(find(times(50, WITH), times(50, { phone: 49171 }))[0]?.change).toBe(
    'is now text in 50 of the last 50 events, and was a number before',
  );
});

test('without earlier events what most lack is told; with a few nothing is', () => {
  expect(find(times(6, {}), times(6, WITH))).toHaveLength(1);
  expect(find(times(5, {}), times(7, WITH))).toEqual([]);
  expect(find(times(9, {}))).toEqual([]);
});
