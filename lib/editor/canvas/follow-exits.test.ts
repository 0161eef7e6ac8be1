import { expect, test } from 'vitest';
import { updateSettings } from './commands.ts';
import type { CanvasDocument } from './document.ts';
import { drawing, task } from './testing/test-documents.ts';

const ask = (...titles: string[]) => ({ answer_by: 'buttons', buttons: titles.map((title) => ({ title })) });

/** A question whose exits lead to a task each: choice_1 → 11, choice_2 → 12, …; no_answer → 20. */
function drawn(settings: Record<string, unknown>, count: number): CanvasDocument {
  const choices = Array.from({ length: count }, (_, index) => ({
    from: 2,
    to: 11 + index,
    branch: `choice_${index + 1}`,
  }));
  return {
    name: 'Drawn',
    tasks: [{ id: 2, type: 'ask_and_wait', name: 'Ask', settings }],
    edges: [{ from: 1, to: 2 }, ...choices, { from: 2, to: 20, branch: 'no_answer' }],
    notes: [],
  };
}

const waysOf = ({ edges }: CanvasDocument) =>
  edges.filter(({ from }) => from === 2).map(({ to, branch }) => `${branch} → ${to}`);

const NO_ANSWER = 'no_answer → 20';

test.each([
  ['a label that is changed', ask('Yes', 'No'), ask('Yes', 'Never'), ['choice_1 → 11', 'choice_2 → 12']],
  [
    'a label that becomes another one while it is typed',
    ask('N', 'No'),
    ask('No', 'No'),
    ['choice_1 → 11', 'choice_2 → 12'],
  ],
  [
    'a label that stops being another one',
    ask('No', 'No'),
    ask('No,', 'No'),
    ['choice_1 → 11', 'choice_2 → 12'],
  ],
  ['a further button', ask('Yes', 'No'), ask('Yes', 'No', 'Later'), ['choice_1 → 11', 'choice_2 → 12']],
  ['buttons that change places', ask('Yes', 'No'), ask('No', 'Yes'), ['choice_2 → 11', 'choice_1 → 12']],
  [
    'the first button removed',
    ask('Yes', 'No', 'Later'),
    ask('No', 'Later'),
    ['choice_1 → 12', 'choice_2 → 13'],
  ],
  ['the last button removed', ask('Yes', 'No'), ask('Yes'), ['choice_1 → 11']],
  [
    'the same labels as rows',
    ask('S', 'M'),
    { answer_by: 'list', rows: [{ title: 'S' }, { title: 'M' }] },
    ['choice_1 → 11', 'choice_2 → 12'],
  ],
  ['a text instead of buttons', ask('Yes', 'No'), { answer_by: 'text' }, []],
] as const)('edges follow their exits: %s', (_title, before, after, expected) => {
  const document = drawn(before, before.buttons.length);
  const next = updateSettings(document, 2, after);
  expect(waysOf(next)).toEqual([...expected, NO_ANSWER]);
  expect(next.edges[0]).toEqual({ from: 1, to: 2 });
});

test('settings that change no exit leave the edges as they are', () => {
  const document = drawn(ask('Yes'), 1);
  expect(updateSettings(document, 2, { ...ask('Yes'), question: 'Will you come?' }).edges).toBe(
    document.edges,
  );
});

const SEND = { action: 'send_text', message_text: 'Hi' };
const edgesAfter = (before: Record<string, unknown>, after: Record<string, unknown>, branch?: string) => {
  const tasks = [
    task(1, 'inbound_webhook'),
    task(2, 'messaging_business', { settings: { ...SEND, ...before } }),
    task(3, 'delay'),
  ];
  const edges = [{ from: 1, to: 2 }, branch === undefined ? { from: 2, to: 3 } : { from: 2, to: 3, branch }];
  return updateSettings(drawing(tasks, edges), 2, { ...SEND, ...after }).edges.slice(1);
};

test('what is behind a send stays behind it when it begins or ends to wait, or waits for something else', () => {
  expect(edgesAfter({}, { wait_until: 'delivered' })).toEqual([{ from: 2, to: 3, branch: 'delivered' }]);
  expect(edgesAfter({ wait_until: 'delivered' }, { wait_until: 'read' }, 'delivered')).toEqual([
    { from: 2, to: 3, branch: 'read' },
  ]);
  expect(edgesAfter({ wait_until: 'read' }, {}, 'read')).toEqual([{ from: 2, to: 3 }]);
});

test('settings that change no exit leave the edges as they are', () => {
  expect(edgesAfter({}, { message_text: 'Hello' })).toEqual([{ from: 2, to: 3 }]);
  expect(edgesAfter({ wait_until: 'read' }, { wait_until: 'read', wait_amount: 7 }, 'not_in_time')).toEqual([
    { from: 2, to: 3, branch: 'not_in_time' },
  ]);
});
