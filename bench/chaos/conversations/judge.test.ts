import { expect, test } from 'vitest';
import type { JournalMessage } from './customers.ts';
import { type Conversation, countCopies, findProblems, usedAnswers } from './judge.ts';
import { closingText } from './workflow.ts';

const ANSWERS = { choice: 'Tuesday', text: 'At ten' };
const SAID = ['When do you come?', 'One more question. At what time on Tuesday?', closingText('At ten')];

const messages = (texts: readonly string[] = SAID): JournalMessage[] =>
  texts.map((text, index) => ({ id: String(index), customer: '1', type: 'text', text, payload: {} }));

const task = (id: number, more: Partial<Conversation['tasks'][number]> = {}) => ({
  id,
  status: 'succeeded',
  branch: null,
  output: null,
  ...more,
});

const conversation = (more: Partial<Conversation> = {}): Conversation => ({
  phone: '1',
  status: 'succeeded',
  tasks: [
    task(2, { output: { choice: 'Tuesday', reminders_sent: 0, message: { message_id: 'a' } } }),
    task(3, { status: 'skipped' }),
    task(4, { output: { answer: 'At ten', reminders_sent: 0, message: { message_id: 'b' } } }),
    task(9, { branch: 'delivered' }),
  ],
  ...more,
});

test('a conversation that went as the customer answered has no problem', () => {
  expect(findProblems(conversation(), messages(), ANSWERS)).toEqual([]);
  expect(usedAnswers(conversation())).toEqual(['a', 'b']);
  expect(countCopies(messages())).toBe(0);
});

test.each([
  ['a reminder that no run sent', [...SAID, 'Are you there?'], ANSWERS, /^reminders: 1 and not 0/],
  ['no closing text', SAID.slice(0, 2), ANSWERS, /^the closing text: undefined/],
  ['another choice', SAID, { ...ANSWERS, choice: 'Monday' }, /^the choice: "Tuesday" and not "Monday"/],
  ['an answer of somebody else', SAID, { ...ANSWERS, text: 'At two' }, /^the answer: "At ten"/],
])('%s is a problem', (_, texts, answers, problem) => {
  expect(findProblems(conversation(), messages(texts), answers)[0]).toMatch(problem);
});

test('a message that came twice is counted', () => {
  expect(countCopies(messages([...SAID, SAID[0] ?? '']))).toBe(1);
});

test('messages that are of no conversation are no copies of each other', () => {
  expect(countCopies(messages(['Order C-8.1', 'Order C-8.2', ...SAID]))).toBe(0);
});

test('a run that failed is a problem, unless it stopped at a message that may have been sent', () => {
  expect(findProblems(conversation({ status: 'failed' }), messages(), ANSWERS)).toEqual([
    'It ended as failed.',
  ]);
  const flagged = conversation({ status: 'failed', tasks: [task(2, { status: 'outcome_unknown' })] });
  expect(findProblems(flagged, messages(), ANSWERS)).toEqual([]);
});
