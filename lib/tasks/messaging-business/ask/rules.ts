// What the platform takes as a question: checked while it is written, and before the call.
import { hasVariables } from '#lib/tasks/setting-values.ts';

const MAX_BUTTONS = 3;
export const MAX_ROWS = 10;
/** Characters. */
const MAX = { buttonTitle: 20, rowTitle: 24, rowDescription: 72, listButton: 20, footer: 60 };
const MAX_QUESTION = { text: 4096, buttons: 1024, list: 4096 };

/** What a text may have to be. */
export const ANSWER_KINDS = ['any', 'number', 'date', 'email', 'one_of'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

export type AnswerBy = keyof typeof MAX_QUESTION;

/** A question with its variables filled in, or as it is in the settings. */
export interface Question {
  by: AnswerBy;
  text: string;
  footer: string;
  listButton: string;
  choices: { title: string; description: string }[];
}

export interface QuestionProblem {
  path: (string | number)[];
  message: string;
}

/** Everything that the platform would refuse; what variables give is known when it runs. */
export function findQuestionProblems({ by, text, footer, listButton, choices }: Question): QuestionProblem[] {
  const problems: QuestionProblem[] = [];
  const report = (path: (string | number)[], message: string): void => void problems.push({ path, message });
  const limit = (path: (string | number)[], what: string, value: string, most: number): void => {
    if (!hasVariables(value) && value.length > most)
      report(path, `${what} has ${value.length} characters: at most ${most} are possible.`);
  };
  if (text.trim() === '') report(['question'], 'Enter a question.');
  limit(['question'], 'The question', text, MAX_QUESTION[by]);
  if (by === 'text') return problems;
  limit(['footer'], 'The footer', footer, MAX.footer);
  const list = by === 'buttons' ? 'buttons' : 'rows';
  const what = by === 'buttons' ? 'button' : 'row';
  const most = by === 'buttons' ? MAX_BUTTONS : MAX_ROWS;
  if (choices.length === 0) report([list], `Add a ${what}.`);
  if (choices.length > most) report([list], `At most ${most} ${what}s are possible.`);
  if (by === 'list') {
    if (listButton.trim() === '')
      report(['list_button'], 'Enter the label of the button that opens the list.');
    limit(['list_button'], 'The label', listButton, MAX.listButton);
  }
  const seen = new Set<string>();
  choices.forEach(({ title, description }, place) => {
    const path = [list, place, 'title'];
    if (title.trim() === '') report(path, 'Enter a label.');
    limit(path, 'The label', title, by === 'buttons' ? MAX.buttonTitle : MAX.rowTitle);
    limit([list, place, 'description'], 'The description', description, MAX.rowDescription);
    if (title.trim() !== '' && seen.has(title.trim()))
      report(path, `Two ${what}s are called "${title.trim()}": each needs its own label.`);
    seen.add(title.trim());
  });
  return problems;
}
