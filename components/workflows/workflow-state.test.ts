import { expect, test } from 'vitest';
import type { WorkflowRow } from '#lib/workflows/row-schema.ts';
import { stateOf } from './workflow-table-row.tsx';

const ROW: WorkflowRow = {
  id: 'A',
  name: 'A',
  publishedVersion: 1,
  active: true,
  hasUnpublishedChanges: false,
  taskCount: 1,
  broken: null,
  tags: [],
  updatedAt: '2026-01-01T00:00:00.000Z',
  lastRun: null,
  runsToday: 0,
};

test.each([
  [{ publishedVersion: null, active: false }, 'Draft'],
  [{ active: false, hasUnpublishedChanges: true }, 'Paused'],
  [{ hasUnpublishedChanges: true }, 'Unpublished changes'],
  [{}, 'Published'],
])('the state of %o is %s', (more, label) => {
  expect(stateOf({ ...ROW, ...more }).label).toBe(label);
});
