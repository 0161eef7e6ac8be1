import { expect, test } from 'vitest';
import { diffGraphs, hasChanges } from '#lib/workflows/diff-graphs.ts';
import { restoreVersion } from './document.ts';
import { drawing, task } from './testing/test-documents.ts';

const note = (id: string, text: string) => ({ id, text, position: { x: 0, y: 200 } });

test('a version comes back with its notes, and notes that were written since stay', () => {
  const { name, tasks, edges } = drawing();
  const version = { name, tasks: [...tasks], edges: [...edges], notes: [note('a', 'Ask the bank')] };
  const draft = {
    ...drawing(),
    tasks: [...tasks, task(9, 'delay')],
    notes: [note('a', 'Ask nobody'), note('b', 'Written since')],
  };
  const restored = restoreVersion(version, draft);
  expect(restored.tasks).toEqual(tasks);
  expect(restored.notes).toEqual([note('a', 'Ask the bank'), note('b', 'Written since')]);
  const diff = diffGraphs(restored, draft);
  expect(diff.changedNotes).toEqual([note('a', 'Ask the bank')]);
  expect([...diff.addedNotes, ...diff.removedNotes]).toEqual([]);
  expect(hasChanges(diffGraphs(restoreVersion(version, restored), restored))).toBe(false);
});
