import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { count } from '#lib/variables/describe-value.ts';
import { evaluateSetting } from '#lib/tasks/evaluate-setting.ts';
import type { SetVariablesSettings } from './definition.ts';

export const setVariablesExecutor: TaskExecutor = {
  execute({ settings, scope }) {
    const { variables } = settings as SetVariablesSettings;
    const values = variables.map(({ name, value }) => [name, evaluateSetting(value, scope) ?? null] as const);
    const runText = `Set ${count(variables.length, 'variable')}.`;
    return { kind: 'done', output: Object.fromEntries(values), runText };
  },
};
