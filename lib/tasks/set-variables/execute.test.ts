import { expect, it } from 'vitest';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { setVariables } from './definition.ts';
import { setVariablesExecutor } from './execute.ts';

it('set_variables: each is an output; one variable alone keeps its type (docs/variables.md and 4)', () => {
  const body = parseJson('{"first":"Ada","id":12345678901234567890,"tags":["a"]}') as JsonObject;
  const values = {
    greeting: 'Hello {{task_1_first}} #{{task_1_id}}',
    id: '{{task_1_id}}',
    tags: '{{task_1_tags}}',
    missing: '{{task_1_missing}}',
    fixed: 5,
    nested: { who: '{{task_1_first}}', list: ['{{task_1_tags}}'] },
    empty: '',
  };
  const variables = Object.entries(values).map(([name, value]) => ({ name, value }));
  expect(setVariablesExecutor.execute(taskContext(setVariables, { variables }, { body }))).toEqual({
    kind: 'done',
    output: {
      greeting: 'Hello Ada #12345678901234567890',
      id: body.id,
      tags: ['a'],
      missing: null,
      fixed: 5,
      nested: { who: 'Ada', list: [['a']] },
      empty: '',
    },
    runText: 'Set 7 variables.',
  });
});
