// Times of schedules that are written as cron. The only code that knows croner (docs/decisions/schedules.md); in the browser, too.
import { Cron } from 'croner';
import { toLocal } from './zones.ts';

const PARTS = [
  { name: 'minute', values: '0 to 59' },
  { name: 'hour', values: '0 to 23' },
  { name: 'day of the month', values: '1 to 31, or L for the last' },
  { name: 'month', values: '1 to 12, or JAN to DEC' },
  { name: 'day of the week', values: '0 to 7 (0 and 7 are Sunday), or MON to SUN' },
] as const;

/** The parts of a cron expression. */
const cronParts = (cron: string): string[] => cron.trim().split(/\s+/);

const parse = (cron: string, zone: string): Cron =>
  new Cron(cronParts(cron).join(' '), { mode: '5-part', timezone: zone });

/** Why a text is no cron expression with five parts that comes at least once, and how to fix it; undefined: it is one. */
export function findCronProblem(cron: string): string | undefined {
  const parts = cronParts(cron);
  if (parts.length !== PARTS.length || parts[0]?.startsWith('@'))
    return `Enter five parts separated by spaces: ${PARTS.map(({ name }) => name).join(', ')}. Example: 0 9 * * 1-5 is 9:00 from Monday to Friday.`;
  const wrong = PARTS.findIndex(
    (_, index) => !isPattern(parts.map((part, at) => (at === index ? part : '*'))),
  );
  const { name, values } = PARTS[wrong] ?? {};
  if (name)
    return `"${parts[wrong]}" isn’t a valid ${name}. Use * or ${values}; lists such as 1,3, ranges such as 1-5 and steps such as */5 work, too.`;
  return nextTick(cron, 'UTC', new Date()) ? undefined : 'This never happens: no month has this day.';
}

function isPattern(parts: readonly string[]): boolean {
  try {
    parse(parts.join(' '), 'UTC');
    return true;
  } catch {
    return false;
  }
}

/** The first time after an instant; undefined: it never comes again. @throws for a wrong expression or an unknown zone */
export const nextTick = (cron: string, zone: string, after: Date): Date | undefined =>
  parse(cron, zone).nextRun(after) ?? undefined;

/** The next times after an instant, in their order. @throws as `nextTick` */
export function listTicks(cron: string, zone: string, after: Date, count: number): Date[] {
  return parse(cron, zone).nextRuns(count, after);
}

/**
 * The latest time from `first`, which is one, until `now`. It is searched by bisection: an installation may have been stopped for months.
 */
export function latestTick(cron: string, zone: string, { first, now }: { first: Date; now: Date }): Date {
  const parsed = parse(cron, zone);
  let latest = first.getTime();
  let end = now.getTime();
  while (end - latest >= MINUTE_MS) {
    const middle = latest + Math.floor((end - latest) / 2);
    const next = parsed.nextRun(new Date(middle));
    if (next && next <= now) latest = next.getTime();
    else end = middle;
  }
  return new Date(latest);
}

const MINUTE_MS = 60_000;

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** An instant as people of a zone say it. */
export function localParts(at: Date, zone: string): { date: string; time: string; weekday: string } {
  const local = toLocal(at, zone);
  const text = local.toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 16), weekday: DAYS[local.getUTCDay()] ?? '' };
}
