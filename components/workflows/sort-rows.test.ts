import { expect, test } from 'vitest';
import type { WorkflowRow } from '#lib/workflows/row-schema.ts';
import { findRows, listTags, type RowFilter, type SortOrder } from './sort-rows.ts';
import { stateOf } from './workflow-state.ts';

const row = (name: string, more: Partial<WorkflowRow> = {}): WorkflowRow => ({
  id: name,
  name,
  publishedVersion: 1,
  active: true,
  hasUnpublishedChanges: false,
  taskCount: 1,
  broken: null,
  tags: [],
  updatedAt: '2026-01-01T00:00:00.000Z',
  lastRun: null,
  runsToday: 0,
  ...more,
});

const find = (rows: WorkflowRow[], filter: Partial<RowFilter>, order: SortOrder) =>
  findRows(rows, { search: '', tag: '', foundIds: new Set(), ...filter }, order).map(({ name }) => name);

test('a search finds rows with all its words, in any order and case', () => {
  const rows = [row('Order confirmation'), row('Order status'), row('Welcome')];
  expect(find(rows, { search: ' CONF order ' }, 'name')).toEqual(['Order confirmation']);
});

test('tags filter rows and are found by the search; what the server found is there too', () => {
  const rows = [row('A', { tags: ['Shop', 'EU'] }), row('B', { tags: ['Shop 10', 'Shop'] }), row('C')];
  expect(find(rows, { tag: 'Shop' }, 'name')).toEqual(['A', 'B']);
  expect(find(rows, { search: 'eu' }, 'name')).toEqual(['A']);
  expect(find(rows, { search: 'nothing', foundIds: new Set(['C']) }, 'name')).toEqual(['C']);
  expect(find(rows, { search: 'nothing', tag: 'EU', foundIds: new Set(['C']) }, 'name')).toEqual([]);
  expect(listTags(rows)).toEqual(['EU', 'Shop', 'Shop 10']);
});

test('numbers in names sort as numbers; ties of other orders go by name', () => {
  const rows = [row('Flow 10'), row('Flow 9'), row('Busy', { runsToday: 5 })];
  expect(find(rows, {}, 'name')).toEqual(['Busy', 'Flow 9', 'Flow 10']);
  expect(find(rows, {}, 'runs_today')).toEqual(['Busy', 'Flow 9', 'Flow 10']);
});

test('workflows that never ran come last by last run', () => {
  const ran = row('B', { lastRun: { id: '1', status: 'failed', createdAt: '2026-01-02T00:00:00.000Z' } });
  expect(find([row('A'), ran], {}, 'last_run')).toEqual(['B', 'A']);
});

test.each([
  [{ publishedVersion: null, active: false }, 'Draft'],
  [{ active: false, hasUnpublishedChanges: true }, 'Paused'],
  [{ hasUnpublishedChanges: true }, 'Unpublished changes'],
  [{}, 'Published'],
])('the state of %o is %s', (more, label) => {
  expect(stateOf(row('A', more)).label).toBe(label);
});
