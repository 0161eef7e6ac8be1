import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('everything is measured unless something else is asked for, and kept when peers were, too', () => {
  const options = readOptions([], {});
  expect([...options.parts]).toEqual(['rows', 'steps', 'growth', 'checks', 'memory']);
  expect([...options.rows].join('')).toBe('abcdefghijk');
  expect(options.isComplete).toBe(false);
  expect(readOptions(['--peers'], { PATH: '/bin', BENCH_SECONDS: '' }).isComplete).toBe(true);
  expect(readOptions(['--peers'], { BENCH_ROUNDS: '1' }).isComplete).toBe(false);
});

test('rows are named by letters, parts by their names', () => {
  const { rows, parts } = readOptions([], { BENCH_ONLY: 'cf,memory' });
  expect([...rows]).toEqual(['c', 'f']);
  expect([...parts]).toEqual(['memory', 'rows']);
  expect([...readOptions([], { BENCH_ONLY: 'steps' }).rows]).toEqual([]);
  expect(readOptions([], { BENCH_ONLY: 'rows' }).rows.size).toBe(11);
});

test('cells are chosen, and a setting is compared', () => {
  const environment = { BENCH_STEPS: '4,50', BENCH_CONNECTIONS: '32', BENCH_MODES: 'after' };
  const options = readOptions(['--compare', 'FIRST_LEG'], environment);
  expect(options).toMatchObject({
    steps: [4, 50],
    connections: [32],
    modes: ['after'],
    compared: 'FIRST_LEG',
  });
});

test.each([
  [{ BENCH_ONLY: 'everything' }, 'BENCH_ONLY'],
  [{ BENCH_STEPS: '5,x' }, 'BENCH_STEPS'],
  [{ BENCH_MODES: 'later' }, 'BENCH_MODES'],
])('%o is refused', (environment, name) => {
  expect(() => readOptions([], environment)).toThrow(name);
});
