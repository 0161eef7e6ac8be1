import { expect, test } from 'vitest';
import { connect, updateTask } from './commands.ts';
import { countChanges, diffGraphs } from './diff.ts';
import { arrange } from './layout.ts';
import { drawing, task } from './testing/test-documents.ts';

const published = drawing();

test('where tasks stand, and defaults that were left out, are no changes', () => {
  const complete = updateTask(arrange(published), 3, { settings: { mode: 'for', unit: 'minutes' } });
  expect(countChanges(diffGraphs(complete, published))).toBe(0);
});

test('names what was added, removed, changed and connected, as the panel calls it', () => {
  const [trigger, condition] = published.tasks;
  if (!trigger || !condition) throw new Error('The drawing is empty.');
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

test('the order of keys is no change: databases and browsers keep their own', () => {
  const one = updateTask(published, 2, {
    settings: { conditions: [{ left: 'a', right: 'b', operator: 'equals' }] },
  });
  const other = updateTask(published, 2, {
    settings: { conditions: [{ operator: 'equals', right: 'b', left: 'a' }] },
  });
  expect(countChanges(diffGraphs(one, other))).toBe(0);
});
