import { expect, test } from 'vitest';
import type { Sample } from '#lib/editor/canvas/sample-scope.ts';
import { outputsFor } from './browser-store.ts';

const kept = { id: 'u w', eventId: 'e1', outputs: { 2: '{"a":1}', 3: '{"b":2}' } };
const task = (taskId: number, outputText?: string) => ({ taskId, outputText, run: true, runText: 'Done.' });
const sample = (eventId: string, ...tasks: Sample['tasks']): Sample => ({
  eventId,
  kind: 'production',
  receivedAt: '2026-01-01T00:00:00.000Z',
  bodyText: '{}',
  headers: {},
  tasks,
});

test('what was tried stays the sample, unless a newer event has what the run gave', () => {
  expect(outputsFor(kept, undefined)).toEqual(kept.outputs);
  expect(outputsFor(kept, sample('e1', task(2, '{"a":9}')))).toEqual(kept.outputs);
  expect(outputsFor(kept, sample('e2', task(2, '{"a":9}'), task(3)))).toEqual({ 3: '{"b":2}' });
});
