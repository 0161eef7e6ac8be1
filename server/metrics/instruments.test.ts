// Listeners are the process's: one set of them for all tests of this file.
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { telemetry } from '#lib/core/telemetry.ts';
import { openInstruments } from './instruments.ts';

const registry = new Registry();
openInstruments(registry);

const valuesOf = async (name: string): Promise<Record<string, number>> => {
  const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
};

const execute = (key: object, outcome: string, isFirstLeg: boolean): void =>
  telemetry.task.tell({ key, type: 'if_condition', outcome, isError: false, isFirstLeg, seconds: 0 });

test('what alert rules look for is there before it happens: the first time is an increase, too', async () => {
  expect(await valuesOf('patchbay_webhooks_total')).toEqual({ accepted: 0, overloaded: 0, internal: 0 });
  expect(await valuesOf('patchbay_runs_total')).toEqual({ succeeded: 0, failed: 0, cancelled: 0 });
  expect(await valuesOf('patchbay_token_refreshes_total')).toEqual({ usable: 0, not_now: 0, broken: 0 });
  expect(await valuesOf('patchbay_trace_spans_total')).toEqual({
    exported: 0,
    queue_full: 0,
    export_failed: 0,
  });
});

test('an execution in a first leg counts once it is committed, and not where a worker does it again', async () => {
  const [task, loop, left] = [{}, {}, {}];
  execute(task, 'done', true);
  execute(loop, 'loops', true);
  execute(loop, 'done', true);
  execute(left, 'done', true);
  expect(await valuesOf('patchbay_task_executions_total')).toEqual({});
  const leg = { taskRuns: [task, loop] };
  telemetry.firstLeg.tell({ leg });
  telemetry.firstLeg.tell({ leg });
  execute(left, 'done', false);
  expect(await valuesOf('patchbay_task_executions_total')).toEqual({
    'if_condition done': 3,
    'if_condition loops': 1,
  });
});
