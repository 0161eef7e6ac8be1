import { describe, expect, it } from 'vitest';
import { measureCpuMs } from '#lib/testing/cpu-time.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type { Condition } from '#lib/tasks/conditions/settings.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { ifCondition } from './definition.ts';
import { ifConditionExecutor } from './execute.ts';

const BODY = parseJson(`{
  "amount": 99.5, "count": 0, "big": 12345678901234567890, "price": 1.10, "text": "Hello World", "blank": "  ",
  "nothing": null, "yes": true, "no": false, "tags": ["vip", "new", 7], "none": [], "empty": {}, "zip": "007",
  "at": "2030-01-31T09:00:00Z", "number_text": "100.50", "allowed": ["a", "b"], "quoted": "say \\"hi\\""
}`) as JsonObject;

function evaluate(conditions: unknown[], match: 'all' | 'any' = 'all') {
  const context = taskContext(ifCondition, { match, conditions }, { body: BODY });
  const result = ifConditionExecutor.execute(context);
  if (result instanceof Promise || result.kind !== 'done') throw new Error('It answers at once.');
  return result;
}

const holds = (left: unknown, operator: Condition['operator'], right?: unknown): boolean =>
  evaluate([right === undefined ? { left, operator } : { left, operator, right }]).branch === 'true';

describe('if_condition (docs/engine.md)', () => {
  it('leaves by the branch of its result and says which', () => {
    const yes = { kind: 'done', output: { result: true }, branch: 'true', runText: 'The condition is true.' };
    expect(evaluate([{ left: '{{task_1_text}}', operator: 'equals', right: 'Hello World' }])).toEqual(yes);
    const no = {
      kind: 'done',
      output: { result: false },
      branch: 'false',
      runText: 'The condition is false.',
    };
    expect(evaluate([{ left: '{{task_1_text}}', operator: 'equals', right: 'Hello' }])).toEqual(no);
  });

  it('needs all conditions or any of them', () => {
    const mixed = [
      { left: 'a', operator: 'equals', right: 'a' },
      { left: 'a', operator: 'equals', right: 'b' },
    ];
    expect(evaluate(mixed, 'all').branch).toBe('false');
    expect(evaluate(mixed, 'any').branch).toBe('true');
  });

  it.each<[string, Condition['operator'], unknown, boolean]>([
    ['{{task_1_amount}}', 'equals', '99.50', true],
    ['{{task_1_amount}}', 'equals', 99.5, true],
    ['{{task_1_price}}', 'equals', '1.1', true],
    ['{{task_1_number_text}}', 'equals', '100.5', true],
    ['{{task_1_big}}', 'equals', '12345678901234567890', true],
    ['{{task_1_big}}', 'equals', '12345678901234567891', false],
    ['{{task_1_big}}', 'greater_than', '12345678901234567889', true],
    ['{{task_1_amount}}', 'greater_than', '100', false],
    ['{{task_1_amount}}', 'less_than', '100', true],
    ['{{task_1_number_text}}', 'greater_than', '99', true],
    ['{{task_1_amount}}', 'at_least', '99.5', true],
    ['{{task_1_amount}}', 'at_most', '99.49', false],
    ['{{task_1_count}}', 'equals', '0', true],
  ])('compares numbers as numbers, no digit lost: %s %s %j is %s', (left, operator, right, expected) => {
    expect(holds(left, operator, right)).toBe(expected);
  });

  it('takes texts with leading zeros for codes when they are equated', () => {
    expect(holds('{{task_1_zip}}', 'equals', '7')).toBe(false);
    expect(holds('{{task_1_zip}}', 'equals', '007')).toBe(true);
  });

  it.each<[string, Condition['operator'], string, boolean]>([
    ['{{task_1_at}}', 'equals', '2030-01-31T10:00:00+01:00', true],
    ['{{task_1_at}}', 'less_than', '2030-01-31T09:30:00+01:00', false],
    ['{{task_1_at}}', 'greater_than', '2030-01-31', true],
    ['{{task_1_at}}', 'less_than', '{{$now}}', true],
  ])('compares ISO dates as instants: %s %s %s is %s', (left, operator, right, expected) => {
    expect(holds(left, operator, right)).toBe(expected);
  });

  it.each<[string, Condition['operator'], string, boolean]>([
    ['{{task_1_text}}', 'contains', 'lo W', true],
    ['{{task_1_text}}', 'contains', 'lo w', false],
    ['{{task_1_tags}}', 'contains', 'vip', true],
    ['{{task_1_tags}}', 'contains', 'vi', false],
    ['{{task_1_tags}}', 'contains', '7', true],
    ['{{task_1_tags}}', 'not_contains', 'old', true],
    ['{{task_1_text}}', 'starts_with', 'Hello', true],
    ['{{task_1_text}}', 'ends_with', 'Hello', false],
    ['banana', 'greater_than', 'apple', true],
    ['{{task_1_missing}}', 'equals', '', true],
    ['{{task_1_missing}}', 'not_equals', 'x', true],
    ['{{task_1_yes}}', 'equals', 'true', true],
  ])('else compares as text: %s %s %s is %s', (left, operator, right, expected) => {
    expect(holds(left, operator, right)).toBe(expected);
  });

  it.each(['greater_than', 'less_than', 'at_least', 'at_most'] as const)(
    'nothing is never %s',
    (operator) => {
      expect(holds('{{task_1_missing}}', operator, '5')).toBe(false);
      expect(holds('{{task_1_nothing}}', operator, '5')).toBe(false);
    },
  );

  it.each([
    ['missing', true],
    ['nothing', true],
    ['blank', true],
    ['none', true],
    ['empty', true],
    ['count', false],
    ['no', false],
    ['tags', false],
  ])('is_empty of %s is %s', (name, expected) => {
    expect(holds(`{{task_1_${name}}}`, 'is_empty')).toBe(expected);
    expect(holds(`{{task_1_${name}}}`, 'is_not_empty')).toBe(!expected);
  });

  it('is_true and is_false know booleans and their words; nothing is neither', () => {
    for (const left of ['{{task_1_yes}}', 'Yes', 'TRUE', '1', true])
      expect(holds(left, 'is_true')).toBe(true);
    for (const left of ['{{task_1_no}}', 'off', 'False', '{{task_1_count}}'])
      expect(holds(left, 'is_false')).toBe(true);
    expect(holds('{{task_1_missing}}', 'is_true')).toBe(false);
    expect(holds('{{task_1_missing}}', 'is_false')).toBe(false);
  });

  it('in_list takes JSON, text with commas and a variable that gives a list', () => {
    expect(holds('b', 'in_list', 'a, b , c')).toBe(true);
    expect(holds('b', 'in_list', '["a","b"]')).toBe(true);
    expect(holds('b', 'in_list', ['a', 'b'])).toBe(true);
    expect(holds('b', 'in_list', '{{task_1_allowed}}')).toBe(true);
    expect(holds('{{task_1_amount}}', 'in_list', '1, 99.50')).toBe(true);
    expect(holds('say "hi"', 'in_list', '["{{task_1_quoted}}"]')).toBe(true);
    expect(holds('d', 'in_list', 'a, b')).toBe(false);
    expect(() => holds('b', 'in_list', '["a", ')).toThrow(/The list \["a", is not JSON/);
  });

  it('matches patterns anywhere in the text', () => {
    expect(holds('{{task_1_text}}', 'matches', '^Hel+o\\s')).toBe(true);
    expect(holds('{{task_1_text}}', 'matches', 'World$')).toBe(true);
    expect(holds('{{task_1_text}}', 'matches', '^World')).toBe(false);
  });

  it('matches in linear time whatever the pattern says', () => {
    const cpuMs = measureCpuMs(() =>
      expect(holds('a'.repeat(50_000) + 'b', 'matches', '^(a+)+$')).toBe(false),
    );
    expect(cpuMs).toBeLessThan(2000);
  });

  it('names a pattern that a run finds to be wrong', () => {
    const context = taskContext(
      ifCondition,
      { conditions: [{ left: 'x', operator: 'matches', right: '{{task_1_pattern}}' }] },
      { body: { pattern: 'a(' } },
    );
    expect(() => ifConditionExecutor.execute(context)).toThrow(/The pattern "a\(" is not valid/);
  });
});
