import * as z from 'zod';
import { findCronProblem } from '#lib/core/time/cron.ts';
import { isZone } from '#lib/core/time/zones.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskExample } from '#lib/tasks/task-example.ts';
import { scheduleTriggerKind } from './kind.ts';

/** Its output is a time of the schedule (`Tick` of lib/engine/schedule-start.ts). */
export const scheduleTrigger = {
  ...scheduleTriggerKind,
  settings: z.strictObject({
    cron: z
      .string()
      .trim()
      .max(200)
      .superRefine((text, context) => {
        const message = findCronProblem(text);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      })
      .default('0 9 * * 1-5')
      .meta({
        title: 'When',
        description:
          'A cron expression with five parts: minute, hour, day of the month, month, day of the week. `0 9 * * 1-5` is 9:00 from Monday to Friday.',
      }),
    time_zone: z
      .string()
      .trim()
      .refine((text) => text === '' || isZone(text), 'Enter a time zone such as Europe/Berlin.')
      .default('')
      .meta({
        title: 'Time zone',
        description: 'Left empty, it follows the time zone of the workspace.',
        placeholder: 'Europe/Berlin',
      }),
    if_missed: z
      .enum(['once', 'skip'])
      .default('once')
      .meta({
        title: 'Missed times',
        description: 'What happens to times at which Patchbay wasn’t running for more than a minute.',
        labels: { once: 'Start once, as soon as possible', skip: 'Skip them' },
      }),
  }),
  outputs: z.object({
    scheduled_at: z.string().meta({ title: 'The time that started it', description: 'ISO 8601, in UTC.' }),
    date: z.string().meta({ title: 'Date in the time zone', description: 'YYYY-MM-DD' }),
    time: z.string().meta({ title: 'Time in the time zone', description: 'HH:MM' }),
    weekday: z.string().meta({ title: 'Weekday', description: 'In English and lowercase: monday.' }),
    zone: z.string().meta({ title: 'Time zone' }),
    is_late: z
      .boolean()
      .meta({ title: 'Is late', description: 'True where it starts more than a minute after its time.' }),
    missed_since: z.string().nullable().meta({
      title: 'Missed since',
      description: 'The first of several missed times that this start replaces. Usually null.',
    }),
    is_manual: z.boolean().meta({ title: 'Was started by hand' }),
  }),
} satisfies TaskDefinition;

export const scheduleTriggerExample: TaskExample = {
  says: 'Starts the workflow from Monday to Friday at 9:00 in Berlin.',
  event: {
    scheduled_at: '2026-01-05T08:00:00.000Z',
    date: '2026-01-05',
    time: '09:00',
    weekday: 'monday',
    zone: 'Europe/Berlin',
    is_late: false,
    missed_since: null,
    is_manual: false,
  },
  settings: { cron: '0 9 * * 1-5', time_zone: 'Europe/Berlin', if_missed: 'once' },
  output: { status: 'received' },
};
