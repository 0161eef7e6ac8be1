import { expect, test } from 'vitest';
import { exitsOf } from '#lib/tasks/exits.ts';
import { edgeKey } from '#lib/engine/graph.ts';
import { type CanvasDocument, findTask } from './document.ts';
import { BUTTON_ROOM_PX, placeButtons, pointOfEdge } from './place-buttons.ts';
import { exitTop, IN_TOP_PX, TASK_WIDTH_PX } from './task-size.ts';
import { drawing, task } from './testing/test-documents.ts';

/** Pairs of overlapping buttons on edges. */
function listTouching(document: CanvasDocument): string[] {
  const parts = placeButtons(document);
  const buttons = document.edges.map((edge) => {
    const [from, to] = [findTask(document, edge.from), findTask(document, edge.to)];
    const index = from ? exitsOf(from).findIndex(({ branch }) => branch === edge.branch) : 0;
    const source = {
      x: (from?.position?.x ?? 0) + TASK_WIDTH_PX,
      y: (from?.position?.y ?? 0) + (from ? exitTop(from, index) : 0),
    };
    const target = { x: to?.position?.x ?? 0, y: (to?.position?.y ?? 0) + IN_TOP_PX };
    return { key: edgeKey(edge), ...pointOfEdge(source, target, parts.get(edgeKey(edge)) ?? 0.5) };
  });
  return buttons.flatMap((a, index) =>
    buttons
      .slice(index + 1)
      .filter((b) => Math.hypot(a.x - b.x, a.y - b.y) < BUTTON_ROOM_PX)
      .map((b) => `${a.key} and ${b.key}`),
  );
}

const question = task(2, 'ask_and_wait', { settings: { buttons: [{ title: 'Yes' }, { title: 'No' }] } });
const branches = exitsOf(question).map(({ branch }) => branch ?? '');

test.each([
  ['beside them', { x: 1032, y: 60 }],
  ['far below', { x: 1032, y: 600 }],
  ['far above', { x: 1032, y: -500 }],
])('the buttons of exits that meet in one task, %s, do not touch', (_where, position) => {
  expect(branches.length).toBeGreaterThan(3);
  const tasks = [task(1, 'inbound_webhook'), question, task(3, 'delay', { position })];
  const edges = branches.slice(0, 3).map((branch) => ({ from: 2, to: 3, branch }));
  expect(listTouching(drawing(tasks, edges))).toEqual([]);
});

test('a button alone on its edge stands in the middle', () => {
  expect([...placeButtons(drawing()).values()]).toEqual([0.5, 0.5]);
});
