import * as z from 'zod';
import { hasVariables, isMissing, numberSetting, variableText } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { readAmount, readUntil } from './read-wait.ts';
import { delayKind } from './kind.ts';

const settings = z
  .strictObject({
    mode: z
      .enum(['for', 'until'])
      .default('for')
      .meta({ title: 'Wait', labels: { for: 'for a while', until: 'until a point in time' } }),
    amount: numberSetting()
      .default('')
      .meta({
        title: 'How long',
        description: 'A number, or a variable that gives one.',
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
        title: 'Until when',
        description: 'A date and time with its zone, or a variable that gives one; without a zone it is UTC.',
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
    const missing = value.mode === 'for' ? 'Enter how long to wait.' : 'Enter when the wait ends.';
    const wait = value.mode === 'for' ? readAmount(setting, value.unit) : readUntil(setting);
    const message = isMissing(setting) ? missing : wait.problem;
    if (message !== undefined) issues.push({ code: 'custom', input: setting, path: [field], message });
  });

/** Waits, however often the process starts anew until then (docs/engine.md). */
export const delay = {
  ...delayKind,
  settings,
  outputs: z.object({
    until: z.string().meta({ title: 'Until', description: 'When the workflow resumed: ISO 8601, UTC.' }),
  }),
} satisfies TaskDefinition;
