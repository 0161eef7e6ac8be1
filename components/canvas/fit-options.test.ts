import { afterEach, expect, test, vi } from 'vitest';
import type { CanvasDocument } from '#lib/editor/canvas/document.ts';
import { taskSize } from '#lib/editor/canvas/task-size.ts';
import { firstView } from './fit-options.ts';
import { untilStill } from './use-reveal.ts';

afterEach(() => vi.unstubAllGlobals());

const CANVAS = { width: 1160, height: 840 };

const workflow = (places: readonly { x: number; y: number }[]): CanvasDocument => ({
  name: 'Workflow',
  tasks: places.map((position, index) => ({
    id: index + 1,
    type: index === 0 ? 'inbound_webhook' : 'delay',
    name: `Task ${index + 1}`,
    settings: {},
    position,
  })),
  edges: [],
  notes: [],
});

/** The cards at their positions on the canvas, in its pixels. */
function seenCards(document: CanvasDocument, canvas = CANVAS) {
  const view = firstView(document, canvas);
  return document.tasks.map((task) => {
    const { width, height } = taskSize(task);
    const { x, y } = task.position ?? { x: 0, y: 0 };
    return {
      left: x * view.zoom + view.x,
      top: y * view.zoom + view.y,
      right: (x + width) * view.zoom + view.x,
      bottom: (y + height) * view.zoom + view.y,
    };
  });
}

test('a workflow of 300 tasks opens at its trigger, in a size that can be read, and fills the canvas', () => {
  const rows = workflow(
    Array.from({ length: 300 }, (_, index) => ({ x: (index % 20) * 340, y: Math.floor(index / 20) * 180 })),
  );
  expect(firstView(rows, CANVAS).zoom).toBeGreaterThanOrEqual(0.7);
  const cards = seenCards(rows);
  expect(cards[0]?.left).toBeGreaterThanOrEqual(0);
  expect(cards[0]?.left).toBeLessThan(100);
  expect(cards[0]?.top).toBeGreaterThanOrEqual(0);
  expect(cards[0]?.top).toBeLessThan(100);
  expect(Math.max(...cards.map(({ right }) => right))).toBeGreaterThan(CANVAS.width);
  expect(Math.max(...cards.map(({ bottom }) => bottom))).toBeGreaterThan(CANVAS.height);
});

test('a tall workflow opens with its trigger in the middle of the height', () => {
  const tree = workflow([
    { x: 0, y: 4000 },
    ...Array.from({ length: 90 }, (_, index) => ({ x: 344, y: index * 90 })),
  ]);
  const [trigger] = seenCards(tree);
  expect(trigger?.top).toBeGreaterThan(CANVAS.height * 0.3);
  expect(trigger?.bottom).toBeLessThan(CANVAS.height * 0.7);
});

test('a small workflow is seen whole, in the middle, and not enlarged', () => {
  const small = workflow([
    { x: 100, y: 40 },
    { x: 444, y: 40 },
  ]);
  expect(firstView(small, CANVAS).zoom).toBe(1);
  const [first, second] = seenCards(small);
  expect((first?.left ?? 0) + (second?.right ?? 0)).toBeCloseTo(CANVAS.width - 16);
});

test.each([
  ['reaches its view', [0, 40, 100], true],
  ['is interrupted, and the canvas stays elsewhere', [0, 40, 70], false],
  ['is interrupted before it begins', [0], false],
])('a movement ends when it %s', async (_, xs, isReached) => {
  let frame = 0;
  vi.stubGlobal('requestAnimationFrame', (next: () => void) => {
    frame += 1;
    queueMicrotask(next);
  });
  const getViewport = () => ({ x: xs[Math.min(frame, xs.length - 1)] ?? 0, y: 0, zoom: 1 });
  expect(await untilStill({ getViewport }, { x: 100, y: 0, zoom: 1 })).toBe(isReached);
  expect(frame).toBeLessThan(20);
});
