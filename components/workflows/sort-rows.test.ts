import { expect, test } from 'vitest';
import type { WorkflowRow } from '#lib/workflows/row-schema.ts';
import { findRows } from './sort-rows.ts';
import { stateOf } from './workflow-state.ts';

const row = (name: string, more: Partial<WorkflowRow> = {}): WorkflowRow => ({
  id: name,
  name,
  publishedVersion: 1,
  active: true,
  hasUnpublishedChanges: false,
  taskCount: 1,
  broken: null,
  updatedAt: '2026-01-01T00:00:00.000Z',
  lastRun: null,
  runsToday: 0,
  ...more,
});

test('a search finds rows with all its words, in any order and case', () => {
  const rows = [row('Order confirmation'), row('Order status'), row('Welcome')];
  expect(findRows(rows, ' CONF order ', 'name').map(({ name }) => name)).toEqual(['Order confirmation']);
});

test('numbers in names sort as numbers; ties of other orders go by name', () => {
  const rows = [row('Flow 10'), row('Flow 9'), row('Busy', { runsToday: 5 })];
  expect(findRows(rows, '', 'name').map(({ name }) => name)).toEqual(['Busy', 'Flow 9', 'Flow 10']);
  expect(findRows(rows, '', 'runs_today').map(({ name }) => name)).toEqual(['Busy', 'Flow 9', 'Flow 10']);
});

test('workflows that never ran come last by last run', () => {
  const ran = row('B', { lastRun: { id: '1', status: 'failed', createdAt: '2026-01-02T00:00:00.000Z' } });
  expect(findRows([row('A'), ran], '', 'last_run').map(({ name }) => name)).toEqual(['B', 'A']);
});

test.each([
  [{ publishedVersion: null, active: false }, 'Draft'],
  [{ active: false, hasUnpublishedChanges: true }, 'Paused'],
  [{ hasUnpublishedChanges: true }, 'Unpublished changes'],
  [{}, 'Published'],
])('the state of %o is %s', (more, label) => {
  expect(stateOf(row('A', more)).label).toBe(label);
});
