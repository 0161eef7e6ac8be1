import { expect, test } from 'vitest';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { hasUnpublishedChanges } from './has-unpublished-changes.ts';

const graph = (settings: Record<string, unknown>, x = 0): WorkflowGraph => ({
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'Start', settings: {} },
    { id: 2, type: 'delay', name: 'Wait', settings, position: { x, y: 0 } },
  ],
  edges: [{ from: 1, to: 2 }],
});

test('moving a box, or writing a default out, is no change', () => {
  expect(
    hasUnpublishedChanges(
      graph({ amount: 1 }),
      graph({ unit: 'minutes', amount: 1, mode: 'for', until: '' }, 50),
    ),
  ).toBe(false);
});

test('a setting, a name, an edge are changes', () => {
  const published = graph({ amount: 1 });
  expect(hasUnpublishedChanges(graph({ amount: 2 }), published)).toBe(true);
  expect(hasUnpublishedChanges({ ...published, edges: [] }, published)).toBe(true);
  const renamed = published.tasks.map((task) => ({ ...task, name: 'Other' }));
  expect(hasUnpublishedChanges({ ...published, tasks: renamed }, published)).toBe(true);
});
