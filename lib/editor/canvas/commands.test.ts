import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addTask, changeTrigger, connect, removeItems, toggleDisabled, updateTask } from './commands.ts';
import { connectTargets, findConnectProblem } from './connect.ts';
import { findTask } from './document.ts';
import { arrange, withPositions } from './layout.ts';
import { taskSize } from './task-size.ts';
import { drawing, task } from './testing/test-documents.ts';

describe('adding', () => {
  test('behind an exit: connected there, to the right, covering nothing', () => {
    const next = addTask(drawing(), 4, 'delay', { kind: 'after', from: 2, branch: 'false' });
    expect(next.edges).toContainEqual({ from: 2, to: 4, branch: 'false' });
    const added = findTask(next, 4);
    expect(added?.name).toBe('Delay');
    const [a, b] = [added?.position, findTask(next, 3)?.position];
    const apart = Math.abs((a?.y ?? 0) - (b?.y ?? 0)) >= taskSize(task(4, 'delay')).height;
    expect((a?.x ?? 0) > (findTask(next, 2)?.position?.x ?? 0) && (apart || a?.x !== b?.x)).toBe(true);
  });

  test('between two tasks: takes over the exit, makes room, and its own first exit leads on', () => {
    const edge = { from: 2, to: 3, branch: 'true' };
    const next = addTask(drawing(), 4, 'loop', { kind: 'between', edge });
    expect(next.edges).toEqual([
      { from: 1, to: 2 },
      { from: 2, to: 4, branch: 'true' },
      { from: 4, to: 3, branch: 'each' },
    ]);
    expect(findTask(next, 3)?.position?.x).toBeGreaterThan(findTask(next, 4)?.position?.x ?? Infinity);
  });

  test('names are told apart', () => {
    const once = addTask(drawing(), 4, 'delay', { kind: 'free', at: { x: 0, y: 400 } });
    const twice = addTask(once, 5, 'delay', { kind: 'free', at: { x: 0, y: 400 } });
    expect(twice.tasks.slice(-2).map(({ name }) => name)).toEqual(['Delay', 'Delay 2']);
    expect(twice.tasks[3]?.position).not.toEqual(twice.tasks[4]?.position);
  });
});

describe('another trigger', () => {
  const [trigger, ...others] = drawing().tasks;
  const withTrigger = (name: string) => ({
    ...drawing(),
    tasks: [{ ...(trigger ?? expect.unreachable()), name }, ...others],
  });

  test('keeps id, position, edges and every other task', () => {
    const before = withTrigger('Guests');
    const after = changeTrigger(before, 'message_trigger', { words: ['table'] });
    expect(after).toEqual({
      ...before,
      tasks: [{ ...before.tasks[0], type: 'message_trigger', settings: { words: ['table'] } }, ...others],
    });
  });

  test('has its own name where the old one was the default', () => {
    const renamed = changeTrigger(withTrigger('Inbound webhook'), 'message_trigger', {});
    expect(renamed.tasks[0]?.name).toBe('When a message arrives');
    expect(changeTrigger(renamed, 'inbound_webhook', {}).tasks[0]?.name).toBe('Inbound webhook');
  });
});

describe('connecting (the rules of validateGraph, asked before one is drawn)', () => {
  test.each([
    [{ from: 3, to: 3 }, /follow itself/],
    [{ from: 3, to: 1 }, /trigger cannot have incoming connections/],
    [{ from: 3, to: 2 }, /comes before/],
    [{ from: 2, to: 3, branch: 'true' }, /already connected/],
    [{ from: 2, to: 3 }, /no such exit/],
    [{ from: 2, to: 3, branch: 'failed' }, /no such exit/],
    [{ from: 9, to: 3 }, /no longer exists/],
  ])('%j is refused', (edge, reason) => {
    expect(findConnectProblem(drawing(), edge)).toMatch(reason);
    const { from, to } = edge;
    const document = drawing();
    expect(connect(document, from, to, 'branch' in edge ? edge.branch : undefined)).toBe(document);
  });

  test('another exit may lead to the same task', () => {
    expect(connect(drawing(), 2, 3, 'false').edges).toContainEqual({ from: 2, to: 3, branch: 'false' });
  });
});

describe('removing', () => {
  test('joins the neighbours where one way led in and one out', () => {
    const document = drawing(
      [task(1, 'inbound_webhook'), task(2, 'delay'), task(3, 'delay')],
      [
        { from: 1, to: 2 },
        { from: 2, to: 3 },
      ],
    );
    expect(removeItems(document, [2]).edges).toEqual([{ from: 1, to: 3 }]);
  });

  test('never the trigger, and never an edge into nowhere', () => {
    const next = removeItems(drawing(), [1, 2]);
    expect(next.tasks.map(({ id }) => id)).toEqual([1, 3]);
    expect(next.edges.every(({ from, to }) => findTask(next, from) && findTask(next, to))).toBe(true);
  });

  test('what a loop did for each item is not joined to what comes before the loop', () => {
    const document = drawing(
      [task(1, 'inbound_webhook'), task(2, 'loop'), task(3, 'delay')],
      [
        { from: 1, to: 2 },
        { from: 2, to: 3, branch: 'each' },
      ],
    );
    expect(removeItems(document, [2]).edges).toEqual([]);
  });
});

test('a task that no longer takes its failed exit loses what hung on it', () => {
  const failing = updateTask(drawing(), 3, { on_failure: 'branch' });
  const connected = addTask(failing, 4, 'delay', { kind: 'after', from: 3, branch: 'failed' });
  expect(connected.edges).toHaveLength(3);
  const next = updateTask(connected, 3, { on_failure: undefined });
  expect(next.edges).toHaveLength(2);
  expect(findTask(next, 3)).not.toHaveProperty('on_failure');
});

test('disabling several: all of them, then none; the trigger stays', () => {
  const off = toggleDisabled(drawing(), [1, 2, 3]);
  expect(off.tasks.map(({ disabled }) => disabled)).toEqual([undefined, true, true]);
  expect(toggleDisabled(off, [2, 3]).tasks.map(({ disabled }) => disabled)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('arranging: left to right, exits from top to bottom, no card over another', () => {
  const document = addTask(drawing(), 4, 'delay', { kind: 'after', from: 2, branch: 'false' });
  const placed = arrange(document).tasks;
  const at = (id: number) => placed.find((each) => each.id === id)?.position ?? { x: NaN, y: NaN };
  expect(at(1).x < at(2).x && at(2).x < at(3).x).toBe(true);
  expect(at(3).x).toBe(at(4).x);
  expect(at(3).y + taskSize(task(3, 'delay')).height).toBeLessThan(at(4).y);
});

test('a workflow whose tasks partly stand somewhere keeps those where they are', () => {
  const [trigger, ...rest] = drawing().tasks;
  if (!trigger) throw new Error('The drawing is empty.');
  const { position: _position, ...loose } = trigger;
  const placed = withPositions(drawing([loose, ...rest]));
  expect(placed.tasks.slice(1)).toEqual(rest);
  expect(placed.tasks[0]?.position?.x).toBeLessThan(rest[0]?.position?.x ?? -Infinity);
});

test('an exit may be led to exactly those tasks that nothing is found about', () => {
  const tasks = [task(1, 'inbound_webhook'), ...[2, 3, 4, 5, 6].map((id) => task(id, 'if_condition'))];
  const pair = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }));
  fc.assert(
    fc.property(fc.array(pair), fc.constantFrom(1, 2, 4), (pairs, from) => {
      const document = pairs.reduce(
        (before, [one, other]) => connect(before, one, other, one === 1 ? undefined : 'true'),
        drawing(tasks, []),
      );
      const branch = from === 1 ? undefined : 'true';
      expect(connectTargets(document, from, branch)).toEqual(
        tasks.filter(({ id }) => findConnectProblem(document, { from, to: id, branch }) === undefined),
      );
    }),
  );
});
