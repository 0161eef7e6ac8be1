import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copyItems, pasteFragment } from './clipboard.ts';
import { readFragment } from './read-fragment.ts';
import { drawing, task } from './testing/test-documents.ts';

const source = drawing(
  [
    task(1, 'inbound_webhook'),
    task(2, 'set_variables', { settings: { variables: [{ name: 'a', value: '{{task_1_name}}' }] } }),
    task(3, 'http_request', { settings: { url: 'https://example.com/{{task_2_a}}?q={{task_22_b}}' } }),
  ],
  [
    { from: 1, to: 2 },
    { from: 2, to: 3 },
  ],
);
const target = drawing([task(5, 'inbound_webhook'), task(7, 'delay')], [{ from: 5, to: 7 }]);
const options = { nextTaskId: 8, at: { x: 1000, y: 500 }, newNoteId: () => 'new' };

describe('pasting into another workflow', () => {
  const text = JSON.stringify(copyItems(source, new Set([1, 2, 3])));
  const fragment = readFragment(text);
  if (!fragment) throw new Error('The copy cannot be read.');
  const pasted = pasteFragment(target, fragment, options);

  test('gives new ids and keeps the edges between what was copied; the trigger stays behind', () => {
    expect(pasted.taskIds).toEqual([8, 9]);
    expect(pasted.nextTaskId).toBe(10);
    expect(pasted.document.edges).toEqual([
      { from: 5, to: 7 },
      { from: 8, to: 9 },
    ]);
  });

  test('variables follow: those of copied tasks, and those of the trigger to the other trigger', () => {
    const [first, second] = pasted.document.tasks.slice(-2);
    expect(first?.settings).toEqual({ variables: [{ name: 'a', value: '{{task_5_name}}' }] });
    // task_22 is not a copied task, although its name begins like one.
    expect(second?.settings).toEqual({ url: 'https://example.com/{{task_8_a}}?q={{task_22_b}}' });
  });

  test('stands where it was asked for, as it stood before', () => {
    const [first, second] = pasted.document.tasks.slice(-2);
    expect(first?.position).toEqual({ x: 1000, y: 500 });
    expect(second?.position).toEqual({ x: 1344, y: 500 });
  });
});

test('ids never collide, however often the same is pasted', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 3 })),
      fc.integer({ min: 1, max: 5 }),
      (ids, times) => {
        const fragment = copyItems(source, new Set(ids));
        if (!fragment) return;
        let document = source;
        let nextTaskId = 4;
        for (let time = 0; time < times; time += 1) {
          const pasted = pasteFragment(document, fragment, { ...options, nextTaskId });
          ({ document, nextTaskId } = pasted);
        }
        const all = document.tasks.map(({ id }) => id);
        expect(new Set(all).size).toBe(all.length);
        expect(Math.max(...all)).toBeLessThan(nextTaskId);
        expect(document.edges.every(({ from, to }) => all.includes(from) && all.includes(to))).toBe(true);
      },
    ),
  );
});

test.each(['', 'hello', '{"patchbay":"tasks"}', '{"patchbay":"tasks","tasks":[{"id":"x"}]', '[]'])(
  'a clipboard with %j holds no tasks',
  (text) => {
    expect(readFragment(text)).toBeUndefined();
  },
);

test('types that are not known here are left out, with their edges', () => {
  const fragment = readFragment(
    JSON.stringify({
      patchbay: 'tasks',
      tasks: [
        { id: 1, type: 'delay', name: 'Wait', settings: {} },
        { id: 2, type: 'teleport', name: 'Away', settings: {} },
      ],
      edges: [{ from: 1, to: 2 }],
      notes: [],
    }),
  );
  if (!fragment) throw new Error('The copy cannot be read.');
  const { document } = pasteFragment(target, fragment, options);
  expect(document.tasks.map(({ name }) => name).at(-1)).toBe('Wait');
  expect(document.edges).toHaveLength(1);
});
