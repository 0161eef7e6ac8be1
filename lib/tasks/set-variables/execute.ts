import { count } from '#lib/variables/errors.ts';
import { evaluateSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { setVariables } from './definition.ts';

export const setVariablesExecutor = executorOf(setVariables, {
  execute({ settings: { variables }, scope }) {
    const values = variables.map(({ name, value }) => [name, evaluateSetting(value, scope) ?? null] as const);
    const runText = `Set ${count(variables.length, 'variable')}.`;
    return { kind: 'done', output: Object.fromEntries(values), runText };
  },
});
