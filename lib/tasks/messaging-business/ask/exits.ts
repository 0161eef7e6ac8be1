// The exits of a question: one for each button or row, or one for any answer, and those for what may go wrong.
import { settingRows, settingWords } from '#lib/tasks/setting-words.ts';
import type { TaskBranch } from '#lib/tasks/task-kind.ts';

export const ANSWERED: TaskBranch = { name: 'answered', label: 'Answer', color: 'positive' };
export const OTHER: TaskBranch = { name: 'other', label: 'Other answer', color: 'plain' };
export const NO_ANSWER: TaskBranch = { name: 'no_answer', label: 'No answer in time', color: 'negative' };
export const UNDELIVERED: TaskBranch = {
  name: 'undelivered',
  label: 'Could not be delivered',
  color: 'failed',
  isTakenAfterFailure: true,
};
export const WINDOW_CLOSED: TaskBranch = { name: 'window_closed', label: 'Window closed', color: 'failed' };

/** The exit of a button or row. @param place from 0 */
export const choiceBranch = (place: number): string => `choice_${place + 1}`;

/** The exits of a question with these settings, which may be a draft's. */
export function branchesOfAsk(settings: Readonly<Record<string, unknown>>): TaskBranch[] {
  const { answer_by: by = 'buttons', answer_kind: kind = 'any', buttons, rows } = settings;
  const ends = [NO_ANSWER, UNDELIVERED, WINDOW_CLOSED];
  if (by === 'text') return kind === 'any' ? [ANSWERED, ...ends] : [ANSWERED, OTHER, ...ends];
  const choices = settingRows(by === 'list' ? rows : buttons).map(({ title }, place): TaskBranch => {
    const label = settingWords(title) || `Choice ${place + 1}`;
    return { name: choiceBranch(place), label, color: 'positive' };
  });
  return [...choices, OTHER, ...ends];
}
