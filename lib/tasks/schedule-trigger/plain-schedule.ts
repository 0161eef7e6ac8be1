// The schedules that people choose without knowing cron, and their cron expressions. Every other expression is shown as it is.

/** In the order of cron's numbers from 1. */
export const DAY_NAMES = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export type PlainSchedule =
  | { every: 'minutes'; step: number }
  | { every: 'hours'; step: number; minute: number }
  | { every: 'day'; time: string }
  | { every: 'weekday'; time: string }
  /** Days from 1, Monday, to 7. */
  | { every: 'week'; time: string; days: readonly number[] }
  | { every: 'month'; time: string; day: number | 'last' };

/** Steps that divide an hour or a day: others restart unevenly. */
export const MINUTE_STEPS: readonly number[] = [1, 2, 3, 5, 10, 15, 20, 30];
export const HOUR_STEPS: readonly number[] = [1, 2, 3, 4, 6, 8, 12];

const WEEKDAYS = [1, 2, 3, 4, 5];

/** @param schedule its time is `HH:MM` */
export function writeCron(schedule: PlainSchedule): string {
  if (schedule.every === 'minutes') return `${schedule.step === 1 ? '*' : `*/${schedule.step}`} * * * *`;
  if (schedule.every === 'hours')
    return `${schedule.minute} ${schedule.step === 1 ? '*' : `*/${schedule.step}`} * * *`;
  const [hour = 0, minute = 0] = schedule.time.split(':').map(Number);
  const at = `${minute} ${hour}`;
  if (schedule.every === 'day') return `${at} * * *`;
  if (schedule.every === 'weekday') return `${at} * * 1-5`;
  if (schedule.every === 'month') return `${at} ${schedule.day === 'last' ? 'L' : schedule.day} * *`;
  return `${at} * * ${schedule.days.toSorted((a, b) => a - b).join(',')}`;
}

const NUMBER = /^\d{1,2}$/;
const PLAIN = /^(\S+) (\S+) (\S+) \* (\S+)$/;

/** Undefined for an expression that no plain schedule has. */
export function readPlain(cron: string): PlainSchedule | undefined {
  const [, minute = '', hour = '', day = '', weekday = ''] =
    PLAIN.exec(cron.trim().replace(/\s+/g, ' ')) ?? [];
  const isEveryDay = day === '*' && weekday === '*';
  const minuteStep = stepOf(minute, MINUTE_STEPS);
  if (isEveryDay && hour === '*' && minuteStep) return { every: 'minutes', step: minuteStep };
  if (!NUMBER.test(minute) || Number(minute) > 59) return undefined;
  const hourStep = stepOf(hour, HOUR_STEPS);
  if (isEveryDay && hourStep) return { every: 'hours', step: hourStep, minute: Number(minute) };
  if (!NUMBER.test(hour) || Number(hour) > 23) return undefined;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (isEveryDay) return { every: 'day', time };
  if (weekday === '*') {
    const isDay = NUMBER.test(day) && Number(day) >= 1 && Number(day) <= 31;
    if (day === 'L') return { every: 'month', time, day: 'last' };
    return isDay ? { every: 'month', time, day: Number(day) } : undefined;
  }
  const days = day === '*' ? readDays(weekday) : undefined;
  if (!days) return undefined;
  return days.join() === WEEKDAYS.join() ? { every: 'weekday', time } : { every: 'week', time, days };
}

const stepOf = (part: string, steps: readonly number[]): number | undefined =>
  steps.find((step) => part === `*/${step}` || (step === 1 && part === '*'));

const SHORT = DAY_NAMES.map((name) => name.slice(0, 3).toUpperCase());

/** A day of the week; 0 is Sunday, too. */
function readDay(text: string): number | undefined {
  const named = SHORT.indexOf(text.toUpperCase()) + 1;
  if (named > 0) return named;
  return /^[0-7]$/.test(text) ? Number(text) || 7 : undefined;
}

/** Days of the week such as `1-5` or `MON,WED`, in their order. */
function readDays(text: string): number[] | undefined {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const [from, to, ...more] = part.split('-').map(readDay);
    const end = part.includes('-') ? to : from;
    if (from === undefined || end === undefined || more.length > 0 || end < from) return undefined;
    for (let day = from; day <= end; day += 1) days.add(day);
  }
  return [...days].toSorted((a, b) => a - b);
}

const ordinal = new Intl.PluralRules('en', { type: 'ordinal' });
const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
const withOrdinal = (day: number): string => `${day}${SUFFIXES[ordinal.select(day)] ?? 'th'}`;

/** A schedule in a few words, for a card: `Weekdays at 9:00`; an expression without plain words is shown as it is. */
export function describeCron(cron: string): string {
  const plain = readPlain(cron);
  if (!plain) return cron.trim();
  if (plain.every === 'minutes') return plain.step === 1 ? 'Every minute' : `Every ${plain.step} minutes`;
  if (plain.every === 'hours') {
    const hours = plain.step === 1 ? 'Every hour' : `Every ${plain.step} hours`;
    return plain.minute === 0 ? hours : `${hours} at minute ${plain.minute}`;
  }
  const at = `at ${plain.time.replace(/^0/, '')}`;
  if (plain.every === 'day') return `Every day ${at}`;
  if (plain.every === 'weekday') return `Weekdays ${at}`;
  if (plain.every === 'week') {
    const names = plain.days.map((day) => DAY_NAMES[day - 1] ?? '');
    return `${names.length === 1 ? names[0] : names.map((name) => name.slice(0, 3)).join(', ')} ${at}`;
  }
  return `${plain.day === 'last' ? 'Last day' : `The ${withOrdinal(plain.day)}`} of each month ${at}`;
}
