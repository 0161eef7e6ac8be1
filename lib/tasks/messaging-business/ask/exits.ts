// The exits of a question: one for each button or row, or one for any answer, and those for failures.
import { settingRows, settingWords } from '#lib/tasks/setting-values.ts';
import { CUSTOMER_STOPPED } from '#lib/tasks/messaging-business/delivery/exits.ts';
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

/** The exit of a button or row. @param place index from 0 */
export const choiceBranch = (place: number): string => `choice_${place + 1}`;

const CHOICES: Readonly<Record<string, string>> = {
  buttons: 'buttons',
  list: 'rows',
  template: 'quick_replies',
};

/** The labels that a customer can tap, of settings that may be a draft's; none where a text is expected. */
export function listTitles({
  answer_by: by = 'buttons',
  ...settings
}: Readonly<Record<string, unknown>>): string[] {
  const field = typeof by === 'string' ? CHOICES[by] : undefined;
  return field === undefined ? [] : settingRows(settings[field]).map(({ title }) => settingWords(title));
}

/** The exits of a question with these settings, which may be a draft's. */
export function branchesOfAsk(settings: Readonly<Record<string, unknown>>): TaskBranch[] {
  const { answer_by: by = 'buttons', answer_kind: kind = 'any', until } = settings;
  if (by === 'text') {
    const ends = [NO_ANSWER, UNDELIVERED, WINDOW_CLOSED, CUSTOMER_STOPPED];
    return kind === 'any' && settingRows(until).length === 0
      ? [ANSWERED, ...ends]
      : [ANSWERED, OTHER, ...ends];
  }
  const choices = listTitles(settings).map((title, place): TaskBranch => {
    return { name: choiceBranch(place), label: title || `Choice ${place + 1}`, color: 'positive' };
  });
  // A message template can be sent at any time.
  const closed = by === 'template' ? [] : [WINDOW_CLOSED];
  return [...choices, OTHER, NO_ANSWER, UNDELIVERED, ...closed, CUSTOMER_STOPPED];
}
