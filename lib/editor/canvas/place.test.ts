import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exitsOf } from '#lib/tasks/exits.ts';
import { copyItems, pasteFragment } from './clipboard.ts';
import { addNote, addTask, updateSettings, updateTask } from './commands.ts';
import { type CanvasDocument, findTask } from './document.ts';
import { freeNotePlace } from './place.ts';
import { exitTop, IN_TOP_PX, NOTE_SIZE_PX, taskSize } from './task-size.ts';
import { drawing, task } from './testing/test-documents.ts';

/** Overlapping cards and notes. */
function listOverlaps({ tasks, notes }: CanvasDocument): string[] {
  const boxes = [
    ...notes.map(({ id, position }) => ({ id, ...position, ...NOTE_SIZE_PX })),
    ...tasks.flatMap((each) => (each.position ? [{ id: each.id, ...each.position, ...taskSize(each) }] : [])),
  ];
  return boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
      )
      .map((b) => `${a.id} over ${b.id}`),
  );
}

const rows = Array.from({ length: 10 }, (_, index) => ({ title: `Row ${index + 1}` }));
/** A question with an exit for each row of its list, and four more. */
const question = task(2, 'ask_and_wait', { settings: { answer_by: 'list', rows } });
const asking = drawing([task(1, 'inbound_webhook'), question], [{ from: 1, to: 2 }]);
const branches = exitsOf(question).map(({ branch }) => branch);

describe('a task that is added after an exit', () => {
  test('stands beside that exit, however many the task has', () => {
    expect(branches.length).toBeGreaterThan(10);
    for (const [index, branch] of branches.entries()) {
      const { position } = findTask(addTask(asking, 3, 'delay', { kind: 'after', from: 2, branch }), 3) ?? {};
      const exitY = (question.position?.y ?? 0) + exitTop(question, index);
      expect((position?.y ?? NaN) + IN_TOP_PX).toBe(exitY);
    }
  });

  test('stands in the order of the exits and covers nothing, in whatever order they are added', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(branches), (order) => {
        const document = order.reduce(
          (before, branch, index) =>
            addTask(before, 3 + index, 'if_condition', { kind: 'after', from: 2, branch }),
          asking,
        );
        expect(listOverlaps(document)).toEqual([]);
      }),
    );
    const two = [2, 1, 0].reduce(
      (before, exit) =>
        addTask(before, 10 + exit, 'delay', { kind: 'after', from: 2, branch: branches[exit] }),
      asking,
    );
    const heights = [10, 11, 12].map((id) => findTask(two, id)?.position?.y ?? NaN);
    expect(heights).toEqual(heights.toSorted((a, b) => a - b));
  });

  test('stands below what the exits above it lead to', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(branches), (order) => {
        order.reduce((before, branch, index) => {
          const id = 3 + index;
          const after = addTask(before, id, 'delay', { kind: 'after', from: 2, branch });
          const top = findTask(after, id)?.position?.y ?? NaN;
          for (const [place, earlier] of order.slice(0, index).entries())
            if (branches.indexOf(earlier) < branches.indexOf(branch))
              expect(findTask(after, 3 + place)?.position?.y).toBeLessThan(top);
          return after;
        }, asking);
      }),
    );
  });
});

test('a tall task between two others covers nothing, nor does what moves to the right for it', () => {
  const document = drawing(
    [
      task(1, 'inbound_webhook'),
      task(2, 'delay'),
      task(3, 'delay', { position: { x: 688, y: 90 } }),
      task(4, 'delay', { position: { x: 1032, y: 20 } }),
    ],
    [
      { from: 1, to: 2 },
      { from: 1, to: 3 },
    ],
  );
  const edge = { from: 1, to: 2 };
  expect(listOverlaps(addTask(document, 5, 'if_condition', { kind: 'between', edge }))).toEqual([]);
});

describe('a task whose card becomes taller', () => {
  const loop = task(2, 'loop', { settings: { items: '{{items}}' } });
  const { height } = taskSize(loop);
  const below = [0, 1].map((place) =>
    task(3 + place, 'delay', { position: { x: 344 * 2 + place * 40, y: height + 28 + place * 88 } }),
  );
  const before = drawing(
    [task(1, 'inbound_webhook'), loop, ...below, task(5, 'delay')],
    [{ from: 1, to: 2 }],
  );
  const topsOf = ({ tasks }: CanvasDocument) => tasks.map(({ position }) => position?.y);

  test('moves the cards below it down, and those below them, by what they need', () => {
    const until = updateSettings(before, 2, { repeat: 'until', until: [{ left: '', operator: 'equals' }] });
    const grownBy = taskSize(findTask(until, 2) ?? loop).height - height;
    expect(grownBy).toBeGreaterThan(0);
    expect(topsOf(until)).toEqual([0, 0, height + grownBy + 28, height + grownBy + 28 + 88, 0]);
    expect(until.tasks.map(({ position }) => position?.x)).toEqual(
      before.tasks.map(({ position }) => position?.x),
    );
  });

  test('leaves the cards where they are that have room', () => {
    const away = drawing([loop, task(3, 'delay', { position: { x: 688, y: 400 } })], []);
    expect(topsOf(updateSettings(away, 2, { repeat: 'until' }))).toEqual([0, 400]);
    expect(topsOf(updateSettings(before, 2, { count: 3 }))).toEqual(topsOf(before));
  });

  test('by an exit for failures makes room, too', () => {
    const failing = updateTask(before, 3, { on_failure: 'branch' });
    expect(taskSize(findTask(failing, 3) ?? loop).height).toBeGreaterThan(60);
    expect(listOverlaps(failing)).toEqual([]);
    expect(topsOf(failing)[3]).toBeGreaterThan(topsOf(before)[3] ?? NaN);
  });

  test('covers nothing, whatever is below it', () => {
    const places = fc.array(fc.tuple(fc.integer({ min: -1, max: 8 }), fc.integer({ min: 0, max: 700 })), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(places, (all) => {
        const document = all.reduce(
          (built, [column, y], index) =>
            addTask(built, 10 + index, 'if_condition', { kind: 'free', at: { x: column * 120, y } }),
          drawing([{ ...question, settings: {}, position: { x: 240, y: 100 } }], []),
        );
        expect(listOverlaps(document)).toEqual([]);
        expect(listOverlaps(updateSettings(document, 2, question.settings))).toEqual([]);
      }),
    );
  });
});

test('pasted tasks and notes cover nothing, however often the same is pasted', () => {
  let document = addNote(drawing(), { id: 'note', text: 'Read me', position: { x: 700, y: 140 } });
  const fragment = copyItems(document, new Set([2, 3]), new Set(['note']));
  if (!fragment) throw new Error('Nothing was copied.');
  for (let time = 1; time <= 4; time += 1) {
    const options = { nextTaskId: time * 10, newNoteId: () => `note ${time}` };
    ({ document } = pasteFragment(document, fragment, options));
    expect(listOverlaps(document)).toEqual([]);
  }
  const [first, second] = document.tasks.slice(-2).map(({ position }) => position);
  // At their original positions beside each other.
  expect([(second?.x ?? 0) - (first?.x ?? 0), (second?.y ?? 0) - (first?.y ?? 0)]).toEqual([344, 0]);
});

test('notes that are added at one spot cover neither each other nor a task', () => {
  let document = drawing();
  const [first] = document.tasks;
  const wanted = first?.position ?? { x: 0, y: 0 };
  for (let number = 0; number < 12; number += 1) {
    const position = freeNotePlace(document, wanted);
    document = addNote(document, { id: String(number), text: '', position });
  }
  expect(listOverlaps(document)).toEqual([]);
});
