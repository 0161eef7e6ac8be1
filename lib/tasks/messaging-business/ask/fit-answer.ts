// Whether an answer is what was asked for, and how often and with which words it is asked for again.
import type { JsonObject } from '#lib/core/json/value.ts';
import type { TaskContext } from '#lib/engine/task-executor.ts';
import { testConditions } from '#lib/tasks/conditions/evaluate-condition.ts';
import { createScope, type VariableScope } from '#lib/variables/scope.ts';
import { parseTaskName } from '#lib/variables/task-names.ts';
import { ANSWERED, choiceBranch } from './exits.ts';
import { type Expected, findLabel, readExpected } from './expected-answer.ts';
import { type Answer, findInAnswer, toGiven } from './read-answer.ts';
import type { AskSettings } from './settings.ts';

interface Fit {
  branch: string;
  runText: string;
  /** Fields of the output. */
  given: JsonObject;
}

interface Asked {
  /** The labels that can be tapped; undefined: a text is expected. */
  titles: readonly string[] | undefined;
  expected: Expected;
  /** Whether the conditions are met for an answer, given as fields of the output. @throws TaskError */
  holds: (given: JsonObject) => boolean;
}

/** The first answer that is one of those asked for and meets the conditions; undefined: none does. */
export function findFit(answers: readonly Answer[], { titles, expected, holds }: Asked): Fit | undefined {
  for (const answer of answers) {
    const fit = titles ? fitChoice(answer, titles, holds) : fitText(answer, expected, holds);
    if (fit) return fit;
  }
  return undefined;
}

function fitChoice(answer: Answer, titles: readonly string[], holds: Asked['holds']): Fit | undefined {
  const place = answer.place ?? findInAnswer(answer, (text) => findLabel(text, titles));
  const choice = place === undefined ? undefined : titles[place];
  if (place === undefined || choice === undefined) return undefined;
  const given = { ...toGiven(answer), answer: choice, choice };
  return holds(given) ? { branch: choiceBranch(place), runText: `Answered: ${choice}`, given } : undefined;
}

function fitText(answer: Answer, expected: Expected, holds: Asked['holds']): Fit | undefined {
  const toOutput = (text: string): JsonObject => ({ ...toGiven(answer), choice: '', answer: text });
  const text = findInAnswer(answer, (said) => {
    const read = readExpected(said, expected);
    return read !== undefined && holds(toOutput(read)) ? read : undefined;
  });
  return text === undefined
    ? undefined
    : { branch: ANSWERED.name, runText: 'Answered.', given: toOutput(text) };
}

/** Whether the conditions of a question are met for an answer, which they see as the task's own output. */
export function meetsConditions(
  { settings, scope, taskId, now }: Pick<TaskContext<AskSettings>, 'settings' | 'scope' | 'taskId' | 'now'>,
  given: JsonObject,
): boolean {
  const { until, until_match: match } = settings;
  if (until.length === 0) return true;
  const own = createScope({ now: () => now, tasks: () => ({ output: given }) });
  const both: VariableScope = {
    resolve: (name) => (parseTaskName(name)?.taskId === taskId ? own : scope).resolve(name),
  };
  return testConditions(until, match, both);
}

/** Whether there are answers that do not fit, after which it is asked again. */
export const mayAskAgain = ({ answer_by: by, answer_kind: kind, retry_text, until }: AskSettings): boolean =>
  retry_text.trim() !== '' && (by !== 'text' || kind !== 'any' || until.length > 0);

/** The words of the next question; the last ones are used again. @param retries how often it was asked again */
export const textOfRetry = ({ retry_text, retry_texts }: AskSettings, retries: number): string => {
  const texts = [retry_text, ...retry_texts.map(({ text }) => text)];
  return texts[Math.min(retries, texts.length - 1)] ?? '';
};
