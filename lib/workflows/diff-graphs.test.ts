import { describe, expect, test } from 'vitest';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { connect, updateTask } from '#lib/editor/canvas/commands.ts';
import { diffGraphs, hasChanges } from './diff-graphs.ts';
import { arrange } from '#lib/editor/canvas/layout.ts';
import { drawing, task } from '#lib/editor/canvas/testing/test-documents.ts';

const published = drawing();

test('where tasks stand, and defaults that were left out, are no changes', () => {
  const complete = updateTask(arrange(published), 3, { settings: { mode: 'for', unit: 'minutes' } });
  expect(hasChanges(diffGraphs(complete, published))).toBe(false);
});

test('names what was added, removed, changed and connected, as the panel calls it', () => {
  const [trigger, condition] = published.tasks;
  if (!trigger || !condition) throw new Error('The workflow is empty.');
  const changed = updateTask(
    { ...published, tasks: [trigger, { ...condition, name: 'Paid?' }, task(4, 'delay')], edges: [] },
    1,
    { settings: { response_type: 'after_workflow' } },
  );
  const diff = diffGraphs(connect(changed, 2, 4, 'false'), published);
  expect(diff.added.map(({ id }) => id)).toEqual([4]);
  expect(diff.removed.map(({ id }) => id)).toEqual([3]);
  expect(diff.changed.map(({ task: { id }, fields }) => [id, fields])).toEqual([
    [1, ['Response type']],
    [2, ['Name']],
  ]);
  expect(diff.connected).toEqual(['"Paid?" → "delay 4" (False)']);
  expect(diff.disconnected).toHaveLength(2);
});

test('notes that were added, edited and removed are listed; where they stand is no change', () => {
  const note = (id: string, text: string, x = 0) => ({ id, text, position: { x, y: 0 } });
  const before = {
    ...published,
    notes: [note('a', 'Ask the bank'), note('b', 'Old words'), note('c', 'Same')],
  };
  const after = { ...published, notes: [note('b', 'New words'), note('c', 'Same', 300), note('d', 'Added')] };
  const { addedNotes, changedNotes, removedNotes } = diffGraphs(after, before);
  expect(addedNotes.map(({ text }) => text)).toEqual(['Added']);
  expect(changedNotes.map(({ text }) => text)).toEqual(['New words']);
  expect(removedNotes.map(({ text }) => text)).toEqual(['Ask the bank']);
  expect(hasChanges(diffGraphs({ ...published, notes: [note('c', 'Same')] }, published))).toBe(true);
  expect(
    hasChanges(
      diffGraphs(
        { ...published, notes: [note('c', 'Same', 300)] },
        { ...published, notes: [note('c', 'Same')] },
      ),
    ),
  ).toBe(false);
});

test('the order of keys is no change: databases and browsers keep their own', () => {
  const one = updateTask(published, 2, {
    settings: { conditions: [{ left: 'a', right: 'b', operator: 'equals' }] },
  });
  const other = updateTask(published, 2, {
    settings: { conditions: [{ operator: 'equals', right: 'b', left: 'a' }] },
  });
  expect(hasChanges(diffGraphs(one, other))).toBe(false);
});

describe('whether a draft has unpublished changes', () => {
  const graph = (settings: Record<string, unknown>, more: Partial<WorkflowTask> = {}): WorkflowGraph => ({
    tasks: [task(1, 'inbound_webhook'), task(2, 'delay', { settings, ...more })],
    edges: [{ from: 1, to: 2 }],
  });
  const isChanged = (draft: WorkflowGraph, before: WorkflowGraph): boolean =>
    hasChanges(diffGraphs(draft, before));

  test('moving a box, or writing a default out, is none', () => {
    const complete = { unit: 'minutes', amount: 1, mode: 'for', until: '' };
    expect(isChanged(graph({ amount: 1 }), graph(complete, { position: { x: 50, y: 0 } }))).toBe(false);
  });

  test('a setting, a name, an edge are changes', () => {
    const before = graph({ amount: 1 });
    expect(isChanged(graph({ amount: 2 }), before)).toBe(true);
    expect(isChanged({ ...before, edges: [] }, before)).toBe(true);
    expect(isChanged(graph({ amount: 1 }, { name: 'Other' }), before)).toBe(true);
  });

  test('a default of the task itself that was written out is none', () => {
    expect(
      isChanged(graph({ amount: 1 }, { on_failure: 'stop', disabled: false }), graph({ amount: 1 })),
    ).toBe(false);
  });

  test('a default that is left out is none while another setting is incomplete', () => {
    const [draft, before] = [
      graph({ amount: 'x' }),
      graph({ amount: 'x', mode: 'for', unit: 'minutes', until: '' }),
    ];
    expect(isChanged(draft, before)).toBe(false);
  });
});
