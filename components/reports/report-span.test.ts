import { expect, test } from 'vitest';
import { formatMoney, formatShare, formatWait, toReportParameters } from './report-span.ts';

const NOW_MS = Date.parse('2026-11-26T23:30:00Z');
const parametersOf = (filters: Record<string, string>) =>
  toReportParameters((name) => filters[name], { nowMs: NOW_MS, zone: 'UTC' });

test.each([
  [{}, { by: 'day', from: '2026-11-20', to: '2026-11-26' }],
  [
    { span: '30', by: 'template' },
    { by: 'template', from: '2026-10-28', to: '2026-11-26' },
  ],
  [{ span: 'month' }, { by: 'day', from: '2026-11-01', to: '2026-11-26' }],
  [{ span: 'nonsense' }, { by: 'day', from: '2026-11-20', to: '2026-11-26' }],
  [
    { span: 'custom', from: '2026-01-01' },
    { by: 'day', from: '2026-01-01', to: '2026-11-26' },
  ],
])('%j', (filters, expected) => {
  expect(parametersOf(filters)).toEqual(expected);
});

test.each([
  ['Asia/Tokyo', '2026-11-27'],
  ['America/New_York', '2026-11-26'],
])('today in %s is %s', (zone, today) => {
  expect(toReportParameters(() => undefined, { nowMs: NOW_MS, zone })['to']).toBe(today);
});

test.each([
  [{ from: '2026-02-01', to: '2026-01-31' }, 'The first day must not be after the last one.'],
  [{ from: '2020-01-01' }, 'Select at most 366 days.'],
])('%j is refused', (filters, message) => {
  expect(() => parametersOf({ span: 'custom', ...filters })).toThrow(message);
});

test.each([
  [0, 0, '–'],
  [0, 10, '0%'],
  [1, 3, '33.3%'],
  [10, 10, '100%'],
  [1, 100_000, '<0.1%'],
  [99_999, 100_000, '>99.9%'],
])('%d of %d is %s', (part, whole, expected) => {
  expect(formatShare(part, whole)).toBe(expected);
});

test.each([
  [0, '0 s'],
  [45, '45 s'],
  [83, '1 min'],
  [3540, '59 min'],
  [11_400, '3 h 10 min'],
])('the median of %i seconds is %s', (seconds, text) => {
  expect(formatWait(seconds)).toBe(text);
});

test.each([
  ['0', 'EUR 0.00'],
  ['0.0452', 'EUR 0.0452'],
  ['1234.5', 'EUR 1,234.50'],
])('an amount of %s is %s', (amount, text) => {
  expect(formatMoney(amount, 'EUR')).toBe(text.replace(' ', '\u00a0'));
});
