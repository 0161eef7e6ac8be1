import { TaskError } from '#lib/engine/task-executor.ts';
import { renderSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { countLetters } from './definition.ts';

export const countLettersExecutor = executorOf(countLetters, {
  execute({ settings: { text, long_from: longFrom, spaces }, scope }) {
    const rendered = renderSetting(text, scope, 'none');
    const letters = (spaces === 'skip' ? rendered.replaceAll(' ', '') : rendered).length;
    if (letters === 0) throw new TaskError('no_letters', 'There are no letters.');
    const branch = letters >= longFrom ? 'long' : 'short';
    return { kind: 'done', output: { letters }, runText: `Counted ${letters} letters.`, branch };
  },
});
