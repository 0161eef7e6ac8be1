import { expect, test } from 'vitest';
import { choiceId } from '#lib/messaging/sending/signal-keys.ts';
import { branchesOfAsk } from './exits.ts';
import { findLabel, readExpected } from './expected-answer.ts';
import { findInAnswer, readAnswers, readFailure, readRecipientNow } from './read-answer.ts';
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
    ['rows.0.title', 'rows.0.description', 'list_button'],
  ],
  [{ text: `{{task_1_text}}${'x'.repeat(2000)}` }, []],
] as const)('platform-conversation §1, button and list: %j', (changes, paths) => {
  const problems = findQuestionProblems({ ...QUESTION, ...changes } as Question);
  expect(problems.map(({ path }) => path.join('.'))).toEqual(paths);
});

const EXPECTED = { accepted: 'red, green,', numberFormat: 'point', dateOrder: 'day' } as const;

test.each([
  ['any', 'what?', 'what?'],
  ['number', '-12.5', '-12.5'],
  ['number', ' +5 ', '5'],
  ['number', '5.', '5'],
  ['number', '1e3', '1e3'],
  ['number', '2,500', '2500'],
  ['number', '1,250,000.75', '1250000.75'],
  ['number', '2 500 €', '2500'],
  ['number', '€2\u00a0500', '2500'],
  ['number', "1'250", '1250'],
  ['number', '１２', '12'],
  ['number', ' 12,5', undefined],
  ['number', '1,25,0', undefined],
  ['number', '1,250 500', undefined],
  ['number', 'twelve', undefined],
  ['number', '', undefined],
  ['date', '2030-02-01', '2030-02-01'],
  ['date', '2030-02-01T10:30', '2030-02-01T10:30'],
  ['date', '2030-2-1', '2030-02-01'],
  ['date', '1.2.2030', '2030-02-01'],
  ['date', '1. 2. 2030', '2030-02-01'],
  ['date', '01/02/2030', '2030-02-01'],
  ['date', '31/2/2030', undefined],
  ['date', '2/13/2030', undefined],
  ['date', '12 May 2030', '2030-05-12'],
  ['date', 'May 12th, 2030.', '2030-05-12'],
  ['date', '12th of September 2030', '2030-09-12'],
  ['date', '12 Mayonnaise 2030', undefined],
  ['date', '12 May', undefined],
  ['date', '12', undefined],
  ['date', '12.5', undefined],
  ['date', 'tomorrow', undefined],
  ['email', 'guest@example.com', 'guest@example.com'],
  ['email', ' Guest@Example.com. ', 'Guest@Example.com'],
  ['email', '<mailto:guest@example.com>', 'guest@example.com'],
  ['email', 'guest at example', undefined],
  ['email', 'guest @example.com', undefined],
  ['one_of', ' RED ', 'red'],
  ['one_of', 'red!', 'red'],
  ['one_of', 'blue', undefined],
  ['one_of', '', undefined],
] as const)('as %s, %j is %j', (kind, text, expected) => {
  expect(readExpected(text, { ...EXPECTED, kind })).toBe(expected);
});

test.each([
  ['2.500', '2500'],
  ['12,5', '12.5'],
  ['1.250.000,75 €', '1250000.75'],
  ['12.5', undefined],
])('with a decimal comma, %j is %j', (text, expected) => {
  expect(readExpected(text, { ...EXPECTED, kind: 'number', numberFormat: 'comma' })).toBe(expected);
});

test.each([
  ['5/12/2030', '2030-05-12'],
  ['12.5.2030', '2030-05-12'],
  ['13/12/2030', undefined],
])('with the month first, %j is %j', (text, expected) => {
  expect(readExpected(text, { ...EXPECTED, kind: 'date', dateOrder: 'month' })).toBe(expected);
});

test.each([
  ['yes', 0],
  ['Yes.', 0],
  ['👍', undefined],
  ['1', undefined],
  ['+1', 2],
  ['-1', 3],
  ['❤️', 4],
  ['Fu\u0308r  alle', 5],
  ['no, thanks', undefined],
])('%j names the label at %s', (text, place) => {
  expect(findLabel(text, ['👍 Yes', 'No', '+1', '-1', '❤️', 'Für alle'])).toBe(place);
});

const asked = (askedAt: number) => ({ askedAt, said: [] });

test('messages of one answer are its lines; the last tap counts', () => {
  const question = { runId: '0198c0de-0000-7000-8000-000000000001', taskId: 7, iteration: '0.1' };
  const message = (text: string, choice: string | null = null) => ({
    kind: 'message',
    message: { type: 'text', text },
    choice: choice === null ? null : { id: choice, title: text },
  });
  const signals = [message('one'), message('two', choiceId(question, 2)), message('three')];
  expect(readAnswers(signals, asked(0), true)).toMatchObject([
    { text: 'one\ntwo\nthree', place: 2, type: 'text' },
  ]);
  expect(readAnswers([message('other', 'some-other-id')], asked(0), true)).toMatchObject([
    { place: undefined },
  ]);
  expect(readAnswers([], asked(0), true)).toEqual([]);
  expect(readAnswers(signals, asked(0), false)).toMatchObject([
    { text: 'one' },
    { text: 'two', place: 2 },
    { text: 'three' },
  ]);
  const failed = { kind: 'failed', errors: [{ code: 131026 }] };
  expect(readFailure([failed], 'wamid.2')).toEqual([{ code: 131026 }]);
  expect(readFailure([{ ...failed, message_id: 'wamid.1' }], 'wamid.2')).toBeUndefined();
  expect(readFailure([{ ...failed, message_id: 'wamid.2' }], 'wamid.2')).toEqual([{ code: 131026 }]);
});

test('what was written before the question is no answer, however late it is told; a tap always is', () => {
  const askedAt = 1_900_000_000_000;
  const question = { runId: '0198c0de-0000-7000-8000-000000000001', taskId: 7, iteration: '' };
  const at = (seconds: number, choice: { id: string; title: string } | null = null) => ({
    kind: 'message',
    message: { type: 'text', text: `at ${seconds}`, timestamp: askedAt / 1000 + seconds },
    choice,
  });
  expect(readAnswers([at(-60)], asked(askedAt), true)).toEqual([]);
  expect(readAnswers([at(-60), at(1)], asked(askedAt), true)).toMatchObject([{ text: 'at 1' }]);
  // Clocks differ by seconds.
  expect(readAnswers([at(-5)], asked(askedAt), true)).toMatchObject([{ text: 'at -5' }]);
  const tap = at(-60, { id: choiceId(question, 1), title: 'Yes' });
  expect(readAnswers([tap], asked(askedAt), true)).toMatchObject([{ place: 1 }]);
});

test('of messages that are one answer, any may be what was asked for', () => {
  const texts = ['my budget', '2500', 'or', '3000', 'thanks'];
  const answer = { text: texts.join('\n'), texts, type: 'text', place: undefined, message: {}, messages: [] };
  expect(findInAnswer(answer, (text) => readExpected(text, { ...EXPECTED, kind: 'number' }))).toBe('3000');
  expect(findInAnswer(answer, (text) => (text.includes('\n') ? text : undefined))).toBe(answer.text);
});

test('of messages that are one answer, an edited one counts as it was edited last', () => {
  const message = (id: string, type: string, text: string, fields: Record<string, string> = {}) => ({
    kind: 'message',
    message: { [type]: fields, type, text, message_id: id, timestamp: 5 },
  });
  const edit = (id: string, text: string) => message(id, 'edit', text, { original_message_id: 'm1' });
  const signals = [
    message('m1', 'text', 'Adda'),
    message('m2', 'text', 'Street 1'),
    edit('m3', 'Ad'),
    edit('m4', 'Ada'),
  ];
  const [answer, ...more] = readAnswers(signals, asked(0), true);
  expect(more).toEqual([]);
  expect(answer).toMatchObject({ text: 'Ada\nStreet 1', texts: ['Ada', 'Street 1'], type: 'edit' });
  expect(answer?.messages).toHaveLength(4);
});

test('messages are in the order in which they were written', () => {
  const at = (timestamp: number) => ({
    kind: 'message',
    message: { type: 'text', text: `${timestamp}`, timestamp },
  });
  expect(readAnswers([at(3), at(1), at(2)], asked(0), true)).toMatchObject([{ text: '1\n2\n3' }]);
});

test('a reaction or an edit answers what it belongs to; what is taken back is no answer', () => {
  const said = (by: 'business' | 'customer', id: string) => ({
    ...{ by, id, at: '', text: '', kind: '', choices: [], template: '' },
  });
  const conversation = { askedAt: 0, said: [said('business', 'question'), said('customer', 'earlier')] };
  const message = (type: string, text: string, fields: Record<string, string> = {}) => ({
    kind: 'message',
    message: { [type]: fields, type, text, message_id: `${type} ${text}`, timestamp: 5 },
  });
  const reads = (...signals: ReturnType<typeof message>[]) =>
    readAnswers(signals, conversation, false).map(({ text }) => text);
  expect(reads(message('reaction', '👍', { message_id: 'question' }))).toEqual(['👍']);
  expect(reads(message('reaction', '👍', { message_id: 'another message' }))).toEqual([]);
  expect(reads(message('reaction', '', { message_id: 'question' }))).toEqual([]);
  expect(reads(message('edit', '12', { original_message_id: 'earlier' }))).toEqual(['12']);
  expect(reads(message('edit', 'Hi', { original_message_id: 'before the question' }))).toEqual([]);
  expect(reads(message('text', '1I'), message('edit', '11', { original_message_id: 'text 1I' }))).toEqual([
    '1I',
    '11',
  ]);
  expect(reads(message('revoke', ''), message('system', 'changed number'))).toEqual([]);
});

test.each([
  ['15550001111', { wa_id: '15550002222', user_id: 'US.2' }, '15550002222'],
  ['US.1', { wa_id: '15550002222', user_id: 'US.2' }, 'US.2'],
  ['15550001111', { user_id: 'US.2' }, '15550001111'],
  ['15550001111', { wa_id: { no: 'number' } }, '15550001111'],
])('%s is %j now: messages go to %s', (recipient, system, now) => {
  const signal = { kind: 'message', message: { type: 'system', system } };
  expect(readRecipientNow([{ kind: 'failed' }, signal], recipient)).toBe(now);
});

test('messages go to the name that takes the place of the recipient’s, whichever of them changed', () => {
  const names = [
    { from: '15550001111', to: '15550002222' },
    { from: 'US.1', to: 'US.2' },
  ];
  const again = { kind: 'renamed', names: [{ from: 'US.2', to: 'US.3' }] };
  const now = (recipient: string) => readRecipientNow([{ kind: 'renamed', names }, again], recipient);
  expect(['15550001111', 'US.1', '15550009999'].map(now)).toEqual(['15550002222', 'US.3', '15550009999']);
  expect(readAnswers([{ kind: 'renamed', names }], { askedAt: 0, said: [] }, true)).toEqual([]);
});

test('exits follow from the buttons, the rows and the expected answer', () => {
  const names = (settings: Record<string, unknown>) =>
    branchesOfAsk(settings).map(({ name, label }) => `${name} ${label}`);
  const ends = [
    'no_answer No answer in time',
    'undelivered Could not be delivered',
    'window_closed Window closed',
    'customer_stopped Customer stopped',
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
  expect(names({ answer_by: 'template', quick_replies: [{ title: 'Confirm', index: 1 }] })).toEqual([
    'choice_1 Confirm',
    'other Other answer',
    ...ends.filter((name) => !name.startsWith('window_closed')),
  ]);
  expect(names({ answer_by: 'text' })).toEqual(['answered Answer', ...ends]);
  expect(names({ answer_by: 'text', answer_kind: 'date' })).toEqual([
    'answered Answer',
    'other Other answer',
    ...ends,
  ]);
});
