// The picker's offers, and previews.
import { expect, test } from 'vitest';
import { listAvailableVariables } from './available-variables.ts';
import { renderPreview, type Sample, sampleValues } from './sample-scope.ts';
import { drawing, task } from './testing/test-documents.ts';

const document = drawing(
  [
    task(1, 'inbound_webhook', { name: 'Order' }),
    task(2, 'loop', { name: 'Lines', settings: { items: '{{task_1_lines}}' } }),
    task(3, 'set_variables', { settings: { variables: [{ name: 'sku', value: '' }] } }),
    task(4, 'delay'),
  ],
  [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'each' },
    { from: 2, to: 4, branch: 'done' },
  ],
);
const sample: Sample = {
  eventId: 'e',
  kind: 'test',
  receivedAt: '2026-01-01T00:00:00.000Z',
  bodyText: '{"id":12345678901234567890,"unit price":1.10,"lines":[{"sku":"A"},{"sku":"B"}]}',
  headers: { 'x-shop': 'north' },
  tasks: [
    { taskId: 2, outputText: '{"count":2,"failed_count":0}', run: true, runText: 'Went through 2 items.' },
  ],
};
const labels = (reader: number) =>
  listAvailableVariables(document, reader, sampleValues(document, reader, sample)).map(
    ({ title, variables }) => [title, variables.map(({ label }) => label)] as const,
  );
const preview = (reader: number, text: string) =>
  renderPreview(text, sampleValues(document, reader, sample).scope);

test('inside a loop: its item with all fields, then the trigger; not what the loop gives at its end', () => {
  const [loop, trigger] = labels(3);
  expect(loop).toEqual(['Lines', ['item', 'item_sku', 'index']]);
  expect(trigger?.[0]).toBe('Order');
  expect(trigger?.[1]).toContain('lines_1_sku');
});

test('after a loop: its counts, and nothing of what is inside it', () => {
  expect(labels(4).map(([title]) => title)).toEqual(['Lines', 'Order', 'Date and time']);
  expect(labels(4)[0]?.[1]).toEqual(['count', 'failed_count', 'run', 'run_text']);
});

test('every offered path can be written and gives the value that was shown', () => {
  for (const reader of [1, 3, 4]) {
    const values = sampleValues(document, reader, sample);
    for (const { variables } of listAvailableVariables(document, reader, values)) {
      for (const { path, value } of variables) {
        if (value === undefined || path.startsWith('$')) continue;
        const shown = renderPreview(`{{${path}}}`, values.scope);
        const expected = typeof value === 'string' ? value : JSON.stringify(value);
        expect([path, shown]).toEqual([path, { kind: 'text', text: expected }]);
      }
    }
  }
});

test('a trigger that waits for quiet offers the list of webhooks, whose items a loop has', () => {
  const tasks = document.tasks.map((each) => {
    if (each.id === 1) return { ...each, settings: { quiet_seconds: 5 } };
    return each.id === 2 ? { ...each, settings: { items: '{{task_1.WEBHOOKS}}' } } : each;
  });
  const waiting = { ...document, tasks };
  const values = sampleValues(waiting, 3, sample);
  const [loop, trigger] = listAvailableVariables(waiting, 3, values);
  expect(loop?.variables.map(({ label }) => label)).toContain('item_lines_1_sku');
  expect(trigger?.variables).toContainEqual(
    expect.objectContaining({ path: 'task_1.WEBHOOKS', label: 'WEBHOOKS' }),
  );
  expect(renderPreview('{{task_2_item_lines_1_sku}}', values.scope)).toEqual({ kind: 'text', text: 'B' });
  const own = listAvailableVariables(waiting, 1, sampleValues(waiting, 1, sample))[0];
  expect(own?.variables.map(({ label }) => label)).not.toContain('WEBHOOKS');
});

test('the response of the trigger has bare names', () => {
  const [own] = listAvailableVariables(document, 1, sampleValues(document, 1, sample));
  expect(own?.title).toBe('This request');
  expect(own?.variables.map(({ path }) => path)).toContain('id');
});

test('previews: the first item stands for all, digits stay, headers are there, errors have a place', () => {
  expect(preview(3, 'Item {{task_2_item_sku}}')).toEqual({ kind: 'text', text: 'Item A' });
  expect(preview(4, 'No. {{task_1_id}}, {{task_1.HEADERS.x-shop}}')).toEqual({
    kind: 'text',
    text: 'No. 12345678901234567890, north',
  });
  expect(preview(4, '{{task_1_nothing}}')).toEqual({ kind: 'nothing' });
  expect(preview(4, '{{#if x}}')).toMatchObject({ kind: 'problem' });
});
