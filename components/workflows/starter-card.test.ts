import { expect, test } from 'vitest';
import { STARTERS } from '#lib/editor/starters/starters.ts';
import { layOut } from './starter-card.tsx';

test.each(STARTERS.map((starter) => [starter.name, starter] as const))(
  'the boxes of the picture of “%s” do not touch each other',
  (_, { graph: { tasks } }) => {
    const { placeOf, boxWidth, boxHeight } = layOut(tasks);
    expect(boxHeight).toBeGreaterThanOrEqual(10);
    for (const [index, one] of tasks.entries())
      for (const other of tasks.slice(index + 1)) {
        const [a, b] = [placeOf(one), placeOf(other)];
        const isApart = Math.abs(a.x - b.x) > boxWidth + 2 || Math.abs(a.y - b.y) > boxHeight + 2;
        expect(isApart, `${one.name} and ${other.name}`).toBe(true);
      }
  },
);
