import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#lib/core/json/value.ts';
import { TEST_NOW, taskContext } from '#lib/tasks/testing/task-context.ts';
import { delay } from './definition.ts';
import { delayExecutor } from './execute.ts';

const execute = (settings: object, body: JsonObject = {}) =>
  delayExecutor.execute(taskContext(delay, settings, { body }));

describe('delay (docs/engine.md)', () => {
  it.each([
    [{ amount: 90, unit: 'seconds' }, '2030-01-31T12:01:30.000Z'],
    [{ amount: '1.5', unit: 'hours' }, '2030-01-31T13:30:00.000Z'],
    [{ amount: '{{task_1_wait}}' }, '2030-01-31T12:10:00.000Z'],
    [{ amount: 366, unit: 'days' }, '2031-02-01T12:00:00.000Z'],
    [{ mode: 'until', until: '2030-02-01T09:00:00+01:00' }, '2030-02-01T08:00:00.000Z'],
    [{ mode: 'until', until: '2030-02-01 09:00' }, '2030-02-01T09:00:00.000Z'],
    [{ mode: 'until', until: '{{task_1_day}}' }, '2030-02-02T00:00:00.000Z'],
    [{ mode: 'until', until: '{{task_1_day}}T18:00:00Z' }, '2030-02-02T18:00:00.000Z'],
  ])('%j waits until %s', (settings, until) => {
    const expected = {
      kind: 'wait',
      until: new Date(until),
      output: { until },
      runText: `Delayed until ${until}.`,
    };
    expect(execute(settings, { wait: 10, day: '2030-02-02' })).toEqual(expected);
  });

  it('is over at once when the instant has passed', () => {
    expect(execute({ mode: 'until', until: '2020-01-01' })).toMatchObject({ kind: 'wait', until: TEST_NOW });
  });

  it.each([
    [{ amount: '{{task_1_x}}' }, { x: 'soon' }, '"soon" isn’t a number of at least 0.'],
    [{ amount: '{{task_1_x}}' }, {}, 'The duration is empty.'],
    [{ amount: '{{task_1_x}}' }, { x: -5 }, '-5 isn’t a number of at least 0.'],
    [{ amount: '{{task_1_x}}', unit: 'days' }, { x: 1e9 }, /366 days/],
    [
      { mode: 'until', until: '{{task_1_x}}' },
      { x: '2030-02-31' },
      /^"2030-02-31" isn’t a full date and time. Example: /,
    ],
    [
      { mode: 'until', until: '{{task_1_x}}' },
      { x: '2035-01-01' },
      /The date and time is 2035-01-01.*the maximum is 366 days/,
    ],
  ])('%j with %j says what is wrong and how to fix it', (settings, body, message) => {
    expect(() => execute(settings, body)).toThrow(message);
  });
});
