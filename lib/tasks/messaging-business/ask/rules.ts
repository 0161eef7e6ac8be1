// The platform's rules for questions: checked in the draft, and before the call.
import { MESSAGE_LIMITS, MessageCheck, type MessageProblem } from '#lib/messaging/sending/message-limits.ts';
import { hasVariables } from '#lib/tasks/setting-values.ts';

export const MAX_BUTTONS = MESSAGE_LIMITS.buttons;
export const MAX_ROWS = MESSAGE_LIMITS.rows;
const MAX_QUESTION = {
  text: MESSAGE_LIMITS.text,
  buttons: MESSAGE_LIMITS.body.buttons,
  list: MESSAGE_LIMITS.body.list,
};

/** Expected kinds of a text. */
export const ANSWER_KINDS = ['any', 'number', 'date', 'email', 'one_of'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** The decimal separator of a number; the other one separates thousands. */
export const NUMBER_FORMATS = ['point', 'comma'] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

/** The first part of a date that is written with slashes. */
export const DATE_ORDERS = ['day', 'month'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export type AnswerBy = keyof typeof MAX_QUESTION;

/** A question with its variables filled in, or as it is in the settings. */
export interface Question {
  by: AnswerBy;
  text: string;
  footer: string;
  listButton: string;
  choices: { title: string; description: string }[];
}

/** Problems of the words of a question that is asked again. @param path of the setting */
export function findTextProblems(
  path: MessageProblem['path'],
  by: AnswerBy | 'template',
  text: string,
): MessageProblem[] {
  const check = new MessageCheck((value) => !hasVariables(value));
  check.most(path, 'The text', text, MAX_QUESTION[by === 'template' ? 'text' : by]);
  return check.problems;
}

/** All problems for which the platform would refuse it; values of variables are only known in a run. */
export function findQuestionProblems({ by, text, footer, listButton, choices }: Question): MessageProblem[] {
  const check = new MessageCheck((value) => !hasVariables(value));
  check.required(['question'], text, 'Enter a question.');
  check.most(['question'], 'The question', text, MAX_QUESTION[by]);
  if (by === 'text') return check.problems;
  check.most(['footer'], 'The footer', footer, MESSAGE_LIMITS.footer);
  if (by === 'buttons') check.buttons('buttons', choices);
  else {
    check.rows('rows', choices);
    check.required(['list_button'], listButton, 'Enter the label of the button that opens the list.');
    check.most(['list_button'], 'The label', listButton, MESSAGE_LIMITS.listButton);
  }
  return check.problems;
}
