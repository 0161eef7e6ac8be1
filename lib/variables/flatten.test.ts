import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { measureCpuMs } from '#lib/testing/cpu-time.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { VariableBudgetError } from './errors.ts';
import { findFlattened, flatten } from './flatten.ts';
import { evaluate, render, scopeOf } from '#lib/variables/testing/render.ts';
import { listVariables, writePath } from './variable-names.ts';

const key = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'a_b',
    '_',
    '',
    '0',
    '1',
    'a_a',
    'run',
    'JSON',
    '__proto__',
    'constructor',
    'this',
    'a b',
  ),
  fc.constantFrom(
    'a.b',
    'a[0]',
    ']',
    '\\',
    'x\\]',
    '"',
    '}}',
    '{{',
    'é',
    '\n',
    'true',
    'else',
    'else-x',
    '01',
    '\ud800',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const output = fc.letrec<{ object: JsonValue; value: JsonValue }>((tie) => ({
  object: fc
    .uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name, maxLength: 5 })
    .map(fromEntries),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, '', 'text'),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).object;

/** An assignment to `__proto__` would set the prototype: this makes an own property, as JSON.parse does. */
function fromEntries(entries: [string, JsonValue][]): JsonValue {
  return Object.fromEntries(entries);
}

describe('spec, "Trigger output and flattening"', () => {
  const body = { customer: { name: 'Ann', tags: ['x'] }, items: [{ name: 'Desk' }], total: 1 };

  test('top-level fields, nested keys joined by "_", arrays by zero-based index, parents with their type', () => {
    expect([...flatten(body)]).toEqual([
      ['customer', body.customer],
      ['customer_name', 'Ann'],
      ['customer_tags', ['x']],
      ['customer_tags_0', 'x'],
      ['items', body.items],
      ['items_0', { name: 'Desk' }],
      ['items_0_name', 'Desk'],
      ['total', 1],
    ]);
  });

  test('docs/variables.md: the field literally so named wins, else the first in document order; .JSON reaches both', () => {
    const clash = { a: { b: 1 }, a_b: 2, x: { y_z: 3, y: { z: 4 } } };
    expect(flatten(clash).get('a_b')).toBe(2);
    expect(flatten(clash).get('x_y_z')).toBe(3);
    expect(render('{{task_5_a_b}}{{task_5.JSON.a.b}}{{task_5_x_y_z}}{{task_5.JSON.x.y.z}}', clash)).toBe(
      '2134',
    );
  });

  test('an output field called run or run_text loses to the status and is reached by .JSON', () => {
    const text = '{{task_5_run}} {{task_5_run_text}} {{task_5.JSON.run}} {{task_5_run_by}}';
    expect(render(text, { run: 'mine', run_text: 'mine', run_by: 'me' })).toBe('true Done mine me');
  });

  test('a loop’s own fields go before the output’s', () => {
    const scope = scopeOf({ index: 9, total: 3 }, { extra: { item: { name: 'Desk' }, index: 0 } });
    const names = ['task_5_item_name', 'task_5_index', 'task_5_total'];
    expect(names.map((name) => scope.resolve(name))).toEqual(['Desk', 0, 3]);
  });

  test('a value of null is found, and is not missing', () => {
    expect(findFlattened({ a: null, b: { c: null } }, 'a')).toBeNull();
    expect(findFlattened({ a: null, b: { c: null } }, 'b_c')).toBeNull();
    expect(findFlattened({ a: null }, 'a_b')).toBeUndefined();
  });

  test('a nested field whose name is longer than 10,000 characters is left out, its parent is not', () => {
    const key = 'k'.repeat(9_999);
    expect([...flatten({ [key]: { a: { b: 1 } } }).keys()]).toEqual([key]);
    const long = `${key}${key}`;
    expect([...flatten({ [long]: { a: 1 } }).keys()]).toEqual([long]);
  });
});

describe('finding one name', () => {
  test('property: it agrees with the whole list, for names in it and beside it', () => {
    fc.assert(
      fc.property(output, fc.array(key, { maxLength: 4 }), (value, keys) => {
        const all = flatten(value);
        for (const [name, field] of all) expect(findFlattened(value, name)).toBe(field);
        const other = keys.join('_');
        expect(findFlattened(value, other)).toBe(all.get(other));
      }),
      { numRuns: 1_000 },
    );
  });

  test('keys made to have very many meanings are given up, at once', () => {
    const nest = (depth: number): JsonValue =>
      depth === 0
        ? 1
        : Object.fromEntries(['a', 'a_a', 'a_a_a', 'a_a_a_a'].map((name) => [name, nest(depth - 1)]));
    const cpuMs = measureCpuMs(() =>
      expect(() => findFlattened(nest(7), 'a_'.repeat(300) + 'b')).toThrow(VariableBudgetError),
    );
    expect(cpuMs).toBeLessThan(1_000);
  });

  test('names too long together are refused, not collected', () => {
    const long = {
      ['k'.repeat(1_000_000)]: Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`f${at}`, at])),
    };
    expect(() => flatten(long)).toThrow(VariableBudgetError);
  });
});

describe('variables for a picker', () => {
  test('plain names as they are, others in segments, shadowed ones by .JSON', () => {
    const value = { id: 1, 'unit price': 2, run: 3, a: { b: 4 }, a_b: 5, list: [{ 'x.y': 6 }] };
    expect(listVariables(5, value).map(({ path }) => path)).toEqual([
      'task_5_id',
      '[task_5_unit price]',
      'task_5.JSON.run',
      'task_5_a',
      'task_5.JSON.a.b',
      'task_5_a_b',
      'task_5_list',
      'task_5_list_0',
      '[task_5_list_0_x.y]',
    ]);
    expect(writePath(['task_5', 'JSON', 'items', '0', 'x y', 'true'])).toBe(
      'task_5.JSON.items[0].[x y].[true]',
    );
  });

  test('property: whatever is listed can be parsed and is its value', () => {
    fc.assert(
      fc.property(output, (value) => {
        for (const { path, value: listed } of listVariables(5, value)) {
          expect(evaluate(`{{${path}}}`, value)).toBe(listed);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a long list is cut', () => {
    expect(listVariables(5, { a: [1, 2, 3] }, 2)).toHaveLength(2);
  });
});
