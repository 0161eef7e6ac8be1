// The examples about business hours in docs/guides/time.md, evaluated by the modules that run them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readUntil } from '#lib/tasks/durations.ts';
import { testCondition } from '#lib/tasks/conditions/evaluate-condition.ts';
import { OPERATOR_LABELS, type Operator } from '#lib/tasks/conditions/operators.ts';
import { renderText } from '#lib/variables/interpret.ts';
import { parseVariableText } from '#lib/variables/parse.ts';
import { createScope } from '#lib/variables/scope.ts';

const page = readFileSync(join(import.meta.dirname, 'guides', 'time.md'), 'utf8');
const scopeAt = (now: string) => createScope({ tasks: () => undefined, now: () => new Date(now) });

const conditions = [...page.matchAll(/^\| `(.+?)` \| ([a-z ]+) \| `(.+?)` \|$/gm)].map(
  ([, left = '', label = '', right = '']) => ({
    left,
    operator: (Object.keys(OPERATOR_LABELS) as Operator[]).find((each) => OPERATOR_LABELS[each] === label),
    right: right.replaceAll('\\|', '|'),
  }),
);

test.each([
  ['2026-11-23T09:00:00Z', true],
  ['2026-11-23T16:59:00Z', true],
  ['2026-11-23T08:59:00Z', false],
  ['2026-11-23T17:00:00Z', false],
  ['2026-11-22T12:00:00Z', false],
])('business hours at %s: %s', (now, isOpen) => {
  expect(conditions).toHaveLength(2);
  const scope = scopeAt(now);
  const results = conditions.map(({ left, operator = 'equals', right }) =>
    testCondition({ left, operator, right }, scope),
  );
  expect(results.every(Boolean)).toBe(isOpen);
});

test('the end of a wait today can be read', () => {
  const [, until = ''] = /`(\{\{\$date\}\}T[\d:]+Z)`/.exec(page) ?? [];
  const text = renderText(parseVariableText(until), scopeAt('2026-11-23T09:00:00Z'), 'none');
  expect(readUntil(text)).toEqual({ value: new Date('2026-11-23T16:00:00Z') });
});
