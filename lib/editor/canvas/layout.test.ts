// The guarantees of "Arrange tasks": exits stay in order, nothing overlaps, edges only cross where necessary.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WorkflowEdge, WorkflowTask } from '#lib/engine/graph-types.ts';
import { exitsOf } from '#lib/tasks/exits.ts';
import type { CanvasDocument } from './document.ts';
import { countCrossings, toLayers } from './layers.ts';
import { arrange } from './layout.ts';
import { taskSize } from './task-size.ts';
import { drawing, task } from './testing/test-documents.ts';

const placeOf = (document: CanvasDocument, id: number) =>
  document.tasks.find((each) => each.id === id)?.position ?? expect.unreachable();

const anyType = fc.constantFrom('if_condition', 'loop', 'delay', 'set_variables');

/** Each task except the first follows an exit of an earlier one. */
const tree = fc.array(fc.tuple(anyType, fc.nat(), fc.nat(), fc.boolean()), { maxLength: 24 }).map((list) => {
  const tasks: WorkflowTask[] = [task(1, 'inbound_webhook')];
  const edges: WorkflowEdge[] = [];
  for (const [index, [type, parent, exit, fails]] of list.entries()) {
    const from = tasks[parent % tasks.length] ?? expect.unreachable();
    const exits = exitsOf(from);
    const branch = exits[exit % exits.length]?.branch;
    const more: Partial<WorkflowTask> = fails ? { on_failure: 'branch' } : {};
    tasks.push(task(index + 2, type, more));
    edges.push({ from: from.id, to: index + 2, ...(branch === undefined ? {} : { branch }) });
  }
  return drawing(tasks, edges);
});

/** A tree with more edges from earlier tasks to later ones. */
const anyGraph = fc
  .tuple(tree, fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 12 }))
  .map(([document, more]) => {
    const edges = [...document.edges];
    for (const [a, b, exit] of more) {
      const [from, to] = [a % document.tasks.length, b % document.tasks.length].sort((x, y) => x - y);
      const parent = document.tasks[from ?? 0] ?? expect.unreachable();
      const exits = exitsOf(parent);
      const branch = exits[exit % exits.length]?.branch;
      if (from !== to)
        edges.push({ from: parent.id, to: (to ?? 0) + 1, ...(branch === undefined ? {} : { branch }) });
    }
    return { ...document, edges };
  });

/** Consecutive parts, each a task or a condition whose branches join again. */
interface Part {
  branches: Part[][];
}
const part = fc.letrec<{ part: Part; parts: Part[] }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small' },
    fc.constant<Part>({ branches: [] }),
    fc.tuple(tie('parts'), tie('parts')).map(([a, b]): Part => ({ branches: [a, b] })),
  ),
  parts: fc.array(tie('part'), { maxLength: 3 }),
}));

function joined(parts: readonly Part[]): CanvasDocument {
  const tasks: WorkflowTask[] = [task(1, 'inbound_webhook')];
  const edges: WorkflowEdge[] = [];
  type Open = { from: number; branch?: string };
  const add = (type: string, open: readonly Open[]): number => {
    const id = tasks.length + 1;
    tasks.push(task(id, type));
    edges.push(...open.map((each) => ({ ...each, to: id })));
    return id;
  };
  const follow = (list: readonly Part[], start: Open[]): Open[] =>
    list.reduce<Open[]>((open, { branches: [upper, lower] }) => {
      if (!upper || !lower) return [{ from: add('delay', open) }];
      const from = add('if_condition', open);
      const ends = [
        ...follow(upper, [{ from, branch: 'true' }]),
        ...follow(lower, [{ from, branch: 'false' }]),
      ];
      return [{ from: add('set_variables', ends) }];
    }, start);
  follow(parts, [{ from: 1 }]);
  return drawing(tasks, edges);
}

function expectExitsInOrder(document: CanvasDocument): void {
  const arranged = arrange(document);
  const parentsOf = Map.groupBy(document.edges, ({ to }) => to);
  for (const parent of document.tasks) {
    const ranks = exitsOf(parent).map(({ branch }) => branch);
    const alone = document.edges.filter(
      ({ from, to }) => from === parent.id && parentsOf.get(to)?.length === 1,
    );
    for (const a of alone)
      for (const b of alone)
        if (ranks.indexOf(a.branch) < ranks.indexOf(b.branch)) {
          const [upper, lower] = [placeOf(arranged, a.to), placeOf(arranged, b.to)];
          expect(upper.x).toBe(lower.x);
          expect(upper.y).toBeLessThan(lower.y);
        }
  }
}

const countIn = ({ tasks, edges }: CanvasDocument) => countCrossings(toLayers(tasks, edges));

test('True stands above False, "For each item" above "When done"', () => {
  expectExitsInOrder(
    drawing(
      [
        task(1, 'inbound_webhook'),
        ...['if_condition', 'delay', 'loop', 'delay', 'delay'].map((t, i) => task(i + 2, t)),
      ],
      [
        { from: 1, to: 2 },
        { from: 2, to: 3, branch: 'false' },
        { from: 2, to: 4, branch: 'true' },
        { from: 4, to: 5, branch: 'done' },
        { from: 4, to: 6, branch: 'each' },
      ],
    ),
  );
});

test('property: in a tree every task keeps the order of its exits, and nothing crosses', () => {
  fc.assert(
    fc.property(tree, (document) => {
      expectExitsInOrder(document);
      expect(countIn(document)).toBe(0);
    }),
  );
});

test('property: branches that join again do not cross', () => {
  fc.assert(
    fc.property(part.parts, (parts) => {
      expect(countIn(joined(parts))).toBe(0);
    }),
  );
});

test('property: whatever the edges, exits keep their order for what only they lead to, and no card covers another', () => {
  fc.assert(
    fc.property(anyGraph, (document) => {
      expectExitsInOrder(document);
      const boxes = arrange(document).tasks.map((each) => ({
        ...(each.position ?? expect.unreachable()),
        ...taskSize(each),
      }));
      for (const [index, a] of boxes.entries())
        for (const b of boxes.slice(index + 1)) {
          const isApart =
            a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
          expect(isApart).toBe(true);
        }
    }),
  );
});

test('property: every edge leads to the right, in the order of the columns', () => {
  fc.assert(
    fc.property(anyGraph, (document) => {
      const arranged = arrange(document);
      for (const { from, to } of document.edges)
        expect(placeOf(arranged, from).x).toBeLessThan(placeOf(arranged, to).x);
    }),
  );
});

test('a workflow with a cycle, which a draft may have, is arranged too', () => {
  const document = drawing(
    [task(1, 'inbound_webhook'), task(2, 'delay'), task(3, 'delay')],
    [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
      { from: 3, to: 2 },
    ],
  );
  expect(new Set(arrange(document).tasks.map(({ position }) => position?.x)).size).toBe(3);
});
