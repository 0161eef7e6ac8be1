import { expect, test } from 'vitest';
import {
  filterWorkflows,
  listTags,
  pageOfWorkflows,
  SORT_ORDERS,
  type SortOrder,
  type WorkflowFilter,
  type WorkflowKey,
} from './sort-workflows.ts';

const key = (name: string, more: Partial<WorkflowKey> = {}): WorkflowKey => ({
  id: name,
  name,
  tags: [],
  updatedAt: '2026-01-01T00:00:00.000Z',
  lastRunAt: null,
  runsToday: 0,
  ...more,
});

const find = (keys: WorkflowKey[], filter: Partial<WorkflowFilter>, order: SortOrder) =>
  pageOfWorkflows(filterWorkflows(keys, { text: '', tag: '', foundIds: new Set(), ...filter }), {
    order,
    limit: 100,
  }).ids;

test('a search finds workflows with all its words, in any order and case', () => {
  const keys = [key('Order confirmation'), key('Order status'), key('Welcome')];
  expect(find(keys, { text: ' CONF order ' }, 'name')).toEqual(['Order confirmation']);
});

test('tags filter workflows and are found by the search; what was found otherwise is there too', () => {
  const keys = [key('A', { tags: ['Shop', 'EU'] }), key('B', { tags: ['Shop 10', 'Shop'] }), key('C')];
  expect(find(keys, { tag: 'Shop' }, 'name')).toEqual(['A', 'B']);
  expect(find(keys, { text: 'eu' }, 'name')).toEqual(['A']);
  expect(find(keys, { text: 'nothing', foundIds: new Set(['C']) }, 'name')).toEqual(['C']);
  expect(find(keys, { text: 'nothing', tag: 'EU', foundIds: new Set(['C']) }, 'name')).toEqual([]);
  expect(listTags(keys)).toEqual(['EU', 'Shop', 'Shop 10']);
});

test('numbers in names sort as numbers; ties of other orders go by name', () => {
  const keys = [key('Flow 10'), key('Flow 9'), key('Busy', { runsToday: 5 })];
  expect(find(keys, {}, 'name')).toEqual(['Busy', 'Flow 9', 'Flow 10']);
  expect(find(keys, {}, 'runs_today')).toEqual(['Busy', 'Flow 9', 'Flow 10']);
});

test('workflows that never ran come last by last run', () => {
  const ran = key('B', { lastRunAt: '2026-01-02T00:00:00.000Z' });
  expect(find([key('A'), ran], {}, 'last_run')).toEqual(['B', 'A']);
});

const readAll = (keys: readonly WorkflowKey[], order: SortOrder, cursor?: string): string[] => {
  const { ids, next_cursor } = pageOfWorkflows(keys, { order, limit: 7, cursor });
  expect(ids.length).toBeLessThanOrEqual(7);
  return next_cursor === null ? ids : [...ids, ...readAll(keys, order, next_cursor)];
};

test.each(SORT_ORDERS)('pages by %s give each workflow once, those that tie too', (order) => {
  const keys = Array.from({ length: 50 }, (_, index) =>
    key(`Flow ${index % 10}`, {
      id: String(index),
      updatedAt: `2026-01-0${(index % 3) + 1}T00:00:00.000Z`,
      lastRunAt: index % 4 === 0 ? null : `2026-01-0${(index % 5) + 1}T00:00:00.000Z`,
      runsToday: index % 6,
    }),
  );
  const ids = readAll(keys, order);
  expect(ids).toEqual(pageOfWorkflows(keys, { order, limit: 100 }).ids);
  expect(new Set(ids).size).toBe(50);
});

test('a workflow that went away after a page does not move the next one', () => {
  const keys = ['A', 'B', 'C', 'D'].map((name) => key(name));
  const first = pageOfWorkflows(keys, { order: 'name', limit: 2 });
  const rest = { order: 'name', limit: 2, cursor: first.next_cursor ?? '' } as const;
  const left = keys.filter(({ id }) => id !== 'B');
  expect(pageOfWorkflows(left, rest)).toEqual({ ids: ['C', 'D'], next_cursor: null });
});

test.each(['', 'x', Buffer.from('[1]').toString('base64url')])('the cursor %j is refused', (cursor) => {
  expect(() => pageOfWorkflows([], { order: 'name', limit: 2, cursor })).toThrow('The cursor is not valid.');
});
