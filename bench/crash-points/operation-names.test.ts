import { expect, test } from 'vitest';
import { ADD_RECURRING_JOB } from '#lib/core/queue/job-table.ts';
import { addAdvanceJob } from '#lib/engine/store/advance-job.ts';
import { effectOf } from './operation-names.ts';

test.each([
  [ADD_RECURRING_JOB, 'writes'],
  [`select ${addAdvanceJob('json_build_array($1)')}`, 'writes'],
  ['select id from graphile_worker._private_jobs', 'reads'],
])('what %s does', (text, effect) => {
  expect(effectOf(text)).toBe(effect);
});
