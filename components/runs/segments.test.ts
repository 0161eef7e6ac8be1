import { expect, test } from 'vitest';
import type { TaskRunRow } from '#lib/screens/run-types.ts';
import { segmentsOf } from './run-timeline.tsx';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const NOW_MS = 100_000;

const task = (more: Partial<TaskRunRow>): TaskRunRow => ({
  taskId: 1,
  name: 'Call',
  type: 'http_request',
  iteration: [],
  loops: [],
  itemName: null,
  status: 'succeeded',
  branch: null,
  runText: null,
  captured: [],
  isTrigger: false,
  attempt: 1,
  earlier: [],
  startedAt: at(10),
  finishedAt: at(12),
  resumeAt: null,
  ...more,
});

const shown = (more: Partial<TaskRunRow>) =>
  segmentsOf(task(more), NOW_MS).map(({ kind, fromMs, toMs }) => [kind, fromMs / 1000, toMs / 1000]);

test.each<[string, Partial<TaskRunRow>, unknown[]]>([
  ['what is over', {}, [['working', 10, 12]]],
  ['what is under way ends now', { status: 'running', finishedAt: null }, [['working', 10, 100]]],
  ['a delay waits', { type: 'delay' }, [['waiting', 10, 12]]],
  ['what was skipped', { status: 'skipped' }, []],
  ['what has not begun', { startedAt: null, finishedAt: null }, []],
  [
    'attempts with the waits between them',
    {
      attempt: 3,
      earlier: [
        { startedAt: at(1), finishedAt: at(2) },
        { startedAt: at(4), finishedAt: at(5) },
      ],
    },
    [
      ['failed', 1, 2],
      ['waiting', 2, 4],
      ['failed', 4, 5],
      ['waiting', 5, 10],
      ['working', 10, 12],
    ],
  ],
  [
    'the wait for the next attempt',
    { status: 'waiting', finishedAt: null, earlier: [{ startedAt: at(10), finishedAt: at(11) }] },
    [
      ['failed', 10, 11],
      ['waiting', 11, 100],
    ],
  ],
])('%s', (_, more, expected) => {
  expect(shown(more)).toEqual(expected);
});
