import { expect, test } from 'vitest';
import type { Pool } from '#lib/core/db/client.ts';
import { passTime } from './pass-time.ts';

test('a job is due only when its run and their tasks are: before, it would be over without them', async () => {
  const changed: string[] = [];
  const query = async (text: string): Promise<{ rows: never[] }> => {
    const table = /^update ([\w.]+)/.exec(text)?.[1];
    if (table) changed.push(table);
    return { rows: [] };
  };
  await passTime({ query } as unknown as Pool, { seconds: 10, workflowId: 'w', gone: [] });
  expect(changed).toEqual(expect.arrayContaining(['task_runs', 'runs', 'graphile_worker._private_jobs']));
  expect(changed.indexOf('task_runs')).toBeLessThan(changed.indexOf('runs'));
  expect(changed.at(-1)).toBe('graphile_worker._private_jobs');
});
