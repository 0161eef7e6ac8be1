import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#lib/core/json/value.ts';
import { createScope } from '#lib/variables/scope.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { loop } from './definition.ts';
import { loopExecutor } from './execute.ts';

const execute = (settings: object, body: JsonObject = {}) =>
  loopExecutor.execute(taskContext(loop, settings, { body }));

describe('loop (docs/engine.md)', () => {
  it('goes through a list that one variable gives, types kept', () => {
    const items = [{ sku: 'a' }, 2, null];
    const expected = {
      kind: 'loop',
      items,
      count: 3,
      atOnce: 1,
      pauseSeconds: 1.5,
      onItemFailure: 'continue',
    };
    const settings = { items: '{{task_1_items}}', pause_seconds: 1.5, on_item_failure: 'continue' };
    expect(execute(settings, { items })).toEqual(expected);
  });

  it.each([
    ['["a", 1]', ['a', 1]],
    [' [] ', []],
    ['["{{task_1_name}}", {{task_1_n}}]', ['say "hi"', 5]],
    [
      ['{{task_1_n}}', { x: '{{task_1_name}}' }],
      [5, { x: 'say "hi"' }],
    ],
    ['{{task_1_json}}', [1, 2]],
  ])('takes a list as JSON: %j', (items, expected) => {
    const body = { name: 'say "hi"', n: 5, json: '[1,2]' };
    expect(execute({ items }, body)).toMatchObject({ items: expected, count: expected.length });
  });

  it('counts', () => {
    expect(execute({ count: 3 })).toMatchObject({
      items: null,
      count: 3,
      atOnce: 1,
      pauseSeconds: 0,
      onItemFailure: 'stop',
    });
    expect(execute({ count: '{{task_1_n}}' }, { n: '4' })).toMatchObject({ items: null, count: 4 });
  });

  it('repeats until a condition, at most so many times', () => {
    const until = [{ left: '{{task_3_status}}', operator: 'equals', right: 'free' }];
    const settings = { repeat: 'until', until, max_passes: 7, pause_seconds: 2 };
    expect(execute(settings)).toEqual({
      kind: 'loop',
      items: null,
      count: 7,
      pauseSeconds: 2,
      onItemFailure: 'stop',
      isUntil: true,
    });
    expect(() => execute({ ...settings, until: [] })).toThrow(/Add a condition/);
    expect(() => execute({ ...settings, max_passes: 1001 })).toThrow(/At most 1,000 passes/);
    const holds = (status: string, more: object = {}) =>
      loopExecutor.endsLoop?.({
        settings: { ...settings, ...more },
        scope: createScope({ now: () => new Date(), tasks: () => ({ output: { status } }) }),
      });
    expect(holds('free')).toBe(true);
    expect(holds('taken')).toBe(false);
    const either = {
      until_match: 'any',
      until: [...until, { left: '{{task_3_status}}', operator: 'contains', right: 'ak' }],
    };
    expect(holds('taken', either)).toBe(true);
  });

  it('runs several items at once if they have no pause between them', () => {
    expect(execute({ count: 3, at_once: 20 })).toMatchObject({ count: 3, atOnce: 20 });
    expect(() => execute({ count: 3, at_once: 20, pause_seconds: 1 })).toThrow(/set this to 1, or the pause/);
    expect(() => execute({ count: 3, at_once: 101 })).toThrow(/At most 100 items at once/);
  });

  it.each([
    [{ items: '{{task_1_x}}' }, { x: { a: 1 } }, /^An object with 1 field isn’t a list/],
    [{ items: '{{task_1_x}}' }, {}, /^The list of items is empty/],
    [{ items: '{{task_1_x}}' }, { x: 'a,b' }, /^"a,b" isn’t a list/],
    [{ items: '[1, {{task_1_x}}' }, { x: 1 }, /not a list as JSON: Unexpected end at line 1/],
    [{ items: '{{task_1_x}}' }, { x: new Array(100_001).fill(0) }, /100,001 items: the maximum is 100,000/],
    [{ count: '{{task_1_x}}' }, { x: 1.5 }, /^1.5 isn’t a whole number/],
    [{ count: '{{task_1_x}}' }, { x: 100_001 }, /the maximum is 100,000/],
  ])('%j with other things says what they are', (settings, body, message) => {
    expect(() => execute(settings, body as JsonObject)).toThrow(message);
  });
});
