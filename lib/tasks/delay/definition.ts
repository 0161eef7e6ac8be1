import * as z from 'zod';
import { readDuration, readUntil } from '#lib/tasks/durations.ts';
import { hasVariables, isMissing, numberSetting, variableText } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskExample } from '#lib/tasks/task-example.ts';
import { delayKind } from './kind.ts';

const settings = z
  .strictObject({
    mode: z
      .enum(['for', 'until'])
      .default('for')
      .meta({ title: 'Wait', labels: { for: 'for a duration', until: 'until a date and time' } }),
    amount: numberSetting()
      .default('')
      .meta({
        title: 'Duration',
        description: 'A number, or a variable that contains one.',
        variables: true,
        widget: 'number',
        placeholder: '10',
        visibleWhen: { field: 'mode', is: ['for'] },
      }),
    unit: z
      .enum(['seconds', 'minutes', 'hours', 'days'])
      .default('minutes')
      .meta({
        title: 'Unit',
        labels: { seconds: 'Seconds', minutes: 'Minutes', hours: 'Hours', days: 'Days' },
        visibleWhen: { field: 'mode', is: ['for'] },
      }),
    until: variableText()
      .default('')
      .meta({
        title: 'Until',
        description:
          'A date and time with a time zone, or a variable that contains one. Without a time zone, UTC is used.',
        variables: true,
        widget: 'datetime',
        placeholder: '2030-01-31T09:00:00+01:00',
        visibleWhen: { field: 'mode', is: ['until'] },
      }),
  })
  .check(({ value, issues }) => {
    const field = value.mode === 'for' ? 'amount' : 'until';
    const setting = value[field];
    if (hasVariables(setting)) return;
    const missing = value.mode === 'for' ? 'Enter a duration.' : 'Enter a date and time.';
    const wait =
      value.mode === 'for' ? readDuration(setting, value.unit, { allowsZero: true }) : readUntil(setting);
    const message = isMissing(setting) ? missing : wait.problem;
    if (message !== undefined) issues.push({ code: 'custom', input: setting, path: [field], message });
  });

/** Waits, however often the process starts again until then (docs/engine.md). */
export const delay = {
  ...delayKind,
  settings,
  outputs: z.object({
    until: z.string().meta({ title: 'Until', description: 'When the workflow resumed: ISO 8601, UTC.' }),
  }),
} satisfies TaskDefinition;

export const delayExample: TaskExample = {
  says: 'Waits until the instant that the event names; here it has passed, so the workflow continues at once.',
  event: { remind_at: '2026-01-05T09:00:00+01:00' },
  settings: { mode: 'until', until: '{{task_1_remind_at}}' },
  output: { until: '…' },
};
