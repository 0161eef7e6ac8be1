import { pino } from 'pino';
import { expect, test } from 'vitest';
import { telemetry } from '#lib/core/telemetry.ts';
import { logFailedRuns } from './log-failed-runs.ts';

const lines: unknown[] = [];
logFailedRuns(pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) }));

test('a failed run is a line with its ids and the code of its error, and nothing that a customer sent', () => {
  const event = { id: 'event', isReplay: false, headers: { authorization: 'Bearer secret' } };
  const run = { id: 'run', workspaceId: 'shop', workflowId: 'workflow', version: 1, event };
  telemetry.run.tell({ status: 'succeeded' });
  telemetry.run.tell({
    status: 'failed',
    failure: { run, taskId: 3, iteration: '2.1', code: 'http_status' },
  });
  expect(lines).toEqual([
    {
      level: 40,
      event_id: 'event',
      run_id: 'run',
      workflow_id: 'workflow',
      task_id: 3,
      iteration: '2.1',
      error_code: 'http_status',
      msg: 'a run failed',
    },
  ]);
});
