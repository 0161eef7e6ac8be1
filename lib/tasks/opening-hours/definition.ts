import * as z from 'zod';
import type { Reading } from '#lib/core/errors.ts';
import { isZone } from '#lib/core/time/zones.ts';
import { calendarSetting, hasVariables, isMissing, variableText } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskExample } from '#lib/tasks/task-example.ts';
import { explainMismatch } from '#lib/variables/errors.ts';
import { DAY_LABELS, openingHoursKind } from './kind.ts';

const ACTIONS = ['if_open', 'delay_until_open', 'delay_until_time'] as const;
const DAYS = Object.keys(DAY_LABELS) as (keyof typeof DAY_LABELS)[];

const forActions = (...is: (typeof ACTIONS)[number][]) => ({ visibleWhen: { field: 'action', is } });

/** A time of day as `HH:MM`; the hour may have one digit. */
export function readTime(text: string): Reading<string> {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)(?::00)?$/.exec(text.trim()) ?? [];
  if (hour !== undefined && minute !== undefined) return { value: `${hour.padStart(2, '0')}:${minute}` };
  return { problem: explainMismatch('time', text, 'a time from 00:00 to 23:59, such as 09:00') };
}

/** The time zone of the customer whom the run is about. */
export const OF_CUSTOMER = 'customer';

/** A time zone, or `OF_CUSTOMER`; empty: the workspace's. */
export function readZone(text: string): Reading<string> {
  const zone = text.trim();
  if (zone === '' || zone === OF_CUSTOMER || isZone(zone)) return { value: zone };
  return {
    problem: explainMismatch('time zone', text, 'a time zone such as Europe/Berlin, or the word customer'),
  };
}

const settings = z
  .strictObject({
    action: z
      .enum(ACTIONS)
      .default('if_open')
      .meta({
        title: 'Action',
        labels: {
          if_open: 'If open',
          delay_until_open: 'Delay until open',
          delay_until_time: 'Delay until a time',
        },
      }),
    calendar: calendarSetting()
      .default('')
      .meta({
        title: 'Calendar',
        description: 'Its name in Settings → Time. Left empty: the only one.',
        ...forActions('if_open', 'delay_until_open'),
      }),
    time: variableText()
      .default('')
      .meta({
        title: 'Time',
        description: 'A time such as 09:00, or a variable that contains one.',
        variables: true,
        placeholder: '09:00',
        ...forActions('delay_until_time'),
      }),
    day: z
      .enum(DAYS)
      .default('any')
      .meta({
        title: 'Day',
        description: 'The next time after now that fits.',
        labels: DAY_LABELS,
        ...forActions('delay_until_time'),
      }),
    time_zone: variableText()
      .default('')
      .meta({
        title: 'Time zone',
        description:
          'Such as Europe/Berlin, a variable with one, or customer: that of the customer whom the run is about. Left empty: the workspace’s.',
        variables: true,
        placeholder: 'Europe/Berlin',
        ...forActions('delay_until_time'),
      }),
  })
  .check(({ value, issues }) => {
    if (value.action !== 'delay_until_time') return;
    const report = (field: 'time' | 'time_zone', message: string | undefined): void => {
      if (message !== undefined) issues.push({ code: 'custom', path: [field], message, input: value[field] });
    };
    if (isMissing(value.time)) report('time', 'Enter a time.');
    else if (!hasVariables(value.time)) report('time', readTime(value.time).problem);
    if (!hasVariables(value.time_zone)) report('time_zone', readZone(value.time_zone).problem);
  });

/** Asks whether the workspace is open, and waits until it is, or until a local time. */
export const openingHours = {
  ...openingHoursKind,
  settings,
  outputs: z.object({
    action: z.enum(ACTIONS).meta({ title: 'Action', description: 'The action name.' }),
    open: z.boolean().optional().meta({ title: 'Open', description: 'if_open: whether it is open now.' }),
    until: z.string().optional().meta({
      title: 'Until',
      description: 'When the workflow resumed, and for if_open when it opens next: ISO 8601, UTC.',
    }),
  }),
} satisfies TaskDefinition;

export type OpeningHoursSettings = z.output<typeof settings>;

export const openingHoursExample: TaskExample = {
  says: 'Checks whether the calendar “Shop” of Settings → Time is open. Here it is, so the workflow continues at “Open”.',
  event: { question: 'Do you have Sea Stories?' },
  settings: { action: 'if_open', calendar: 'Shop' },
  output: { action: 'if_open', open: true },
};
