import { expect, test } from 'vitest';
import { choiceId } from '#lib/messaging/sending/signal-keys.ts';
import { branchesOfAsk } from './exits.ts';
import { isExpected, readAnswer, readFailure } from './read-answer.ts';
import { findQuestionProblems, type Question } from './rules.ts';

const QUESTION: Question = {
  by: 'buttons',
  text: 'Yes?',
  footer: '',
  listButton: '',
  choices: [{ title: 'Yes', description: '' }],
};
const choices = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ title: `Choice ${place}`, description: '' }));

test.each([
  [{}, []],
  [{ text: ' ' }, ['question']],
  [{ text: 'x'.repeat(1025) }, ['question']],
  [{ by: 'text', text: 'x'.repeat(4096), choices: [] }, []],
  [{ by: 'text', text: 'x'.repeat(4097), choices: [] }, ['question']],
  [{ footer: 'x'.repeat(61) }, ['footer']],
  [{ choices: [] }, ['buttons']],
  [{ choices: choices(3) }, []],
  [{ choices: choices(4) }, ['buttons']],
  [{ choices: [{ title: 'x'.repeat(21), description: '' }] }, ['buttons.0.title']],
  [{ choices: [...QUESTION.choices, ...QUESTION.choices] }, ['buttons.1.title']],
  [{ by: 'list', listButton: 'Open', choices: choices(10) }, []],
  [{ by: 'list', listButton: '', choices: choices(11) }, ['rows', 'list_button']],
  [
    {
      by: 'list',
      listButton: 'x'.repeat(21),
      choices: [{ title: 'x'.repeat(25), description: 'x'.repeat(73) }],
    },
    ['list_button', 'rows.0.title', 'rows.0.description'],
  ],
  [{ text: `{{task_1_text}}${'x'.repeat(2000)}` }, []],
] as const)('platform-conversation §1, button and list: %j', (changes, paths) => {
  const problems = findQuestionProblems({ ...QUESTION, ...changes } as Question);
  expect(problems.map(({ path }) => path.join('.'))).toEqual(paths);
});

test.each([
  ['any', 'what?', true],
  ['number', ' 12,5', false],
  ['number', '-12.5', true],
  ['date', '2030-02-01', true],
  ['date', '12', false],
  ['email', 'ada@example.com', true],
  ['email', 'ada at example', false],
  ['one_of', ' RED ', true],
  ['one_of', 'blue', false],
] as const)('whether %s takes %j', (kind, text, expected) => {
  expect(isExpected(text, kind, 'red, green,')).toBe(expected);
});

test('messages of one answer are its lines; the last tap counts', () => {
  const question = { runId: '0198c0de-0000-7000-8000-000000000001', taskId: 7, iteration: '0.1' };
  const message = (text: string, choice: string | null = null) => ({
    kind: 'message',
    message: { type: 'text', text },
    choice: choice === null ? null : { id: choice, title: text },
  });
  const signals = [message('one'), message('two', choiceId(question, 2)), message('three')];
  expect(readAnswer(signals)).toMatchObject({ text: 'one\ntwo\nthree', place: 2, type: 'text' });
  expect(readAnswer([message('other', 'some-other-id')])).toMatchObject({ place: undefined });
  expect(readAnswer([])).toBeUndefined();
  expect(readFailure([{ kind: 'failed', errors: [{ code: 131026 }] }])).toEqual([{ code: 131026 }]);
});

test('exits follow from the buttons, the rows and the expected answer', () => {
  const names = (settings: Record<string, unknown>) =>
    branchesOfAsk(settings).map(({ name, label }) => `${name} ${label}`);
  const ends = [
    'no_answer No answer in time',
    'undelivered Could not be delivered',
    'window_closed Window closed',
  ];
  expect(names({ buttons: [{ title: 'Yes' }, {}] })).toEqual([
    'choice_1 Yes',
    'choice_2 Choice 2',
    'other Other answer',
    ...ends,
  ]);
  expect(names({ answer_by: 'list', rows: [{ title: 'S' }], buttons: [{ title: 'Yes' }] })).toEqual([
    'choice_1 S',
    'other Other answer',
    ...ends,
  ]);
  expect(names({ answer_by: 'text' })).toEqual(['answered Answer', ...ends]);
  expect(names({ answer_by: 'text', answer_kind: 'date' })).toEqual([
    'answered Answer',
    'other Other answer',
    ...ends,
  ]);
});
