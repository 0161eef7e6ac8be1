'use client';
import { Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useState, useTransition } from 'react';
import { HelpLink } from '#components/help/help-link.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input, Textarea } from '#components/ui/form/input.tsx';
import { ZoneInput } from '#components/ui/form/zone-input.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { Span, Weekday } from '#lib/core/time/hours.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { WorkspaceTime } from '#lib/identity/schema/time-types.ts';

export interface TimeFormProps {
  saved: WorkspaceTime;
  save: (input: WorkspaceTime) => Promise<ActionResult<WorkspaceTime>>;
}

const DAYS: Readonly<Record<Weekday, string>> = {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
};
const WEEKDAYS = Object.keys(DAYS) as Weekday[];

interface CalendarDraft {
  key: number;
  name: string;
  /** `09:00–12:00, 14:00–18:00`. */
  week: Record<Weekday, string>;
  /** One a line. */
  holidays: string;
}

const toText = (spans: readonly Span[]): string => spans.map(({ from, to }) => `${from}–${to}`).join(', ');

/** The server says which times are wrong. */
const readSpans = (text: string): Span[] =>
  text
    .split(/[,;]/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [from = '', to = ''] = part.split(/[-–—]/).map((time) => time.trim());
      return { from: toTime(from), to: toTime(to) };
    });

/** `9` and `9:30` as they are stored. */
const toTime = (typed: string): string =>
  /^\d{1,2}$/.test(typed) ? `${typed.padStart(2, '0')}:00` : typed.padStart(5, '0');

const toDraft = ({ hours, holidays }: WorkspaceTime): CalendarDraft[] =>
  Object.entries(hours).map(([name, week], key) => ({
    key,
    name,
    week: Object.fromEntries(WEEKDAYS.map((day) => [day, toText(week[day])])) as CalendarDraft['week'],
    holidays: (holidays[name] ?? []).join('\n'),
  }));

const newCalendar = (key: number): CalendarDraft => ({
  key,
  name: key === 0 ? 'Opening hours' : '',
  week: Object.fromEntries(
    WEEKDAYS.map((day, place) => [day, place < 5 ? '09:00–18:00' : '']),
  ) as CalendarDraft['week'],
  holidays: '',
});

const QUIET: Span = { from: '21:00', to: '08:00' };

/** The workspace's time zone, its opening hours, and when marketing waits. */
export function TimeForm({ saved, save }: TimeFormProps) {
  const [zone, setZone] = useState(saved.zone);
  const [calendars, setCalendars] = useState(() => toDraft(saved));
  const [nextKey, setNextKey] = useState(calendars.length);
  const [isQuiet, setIsQuiet] = useState(saved.quiet_hours !== null);
  const [quiet, setQuiet] = useState(saved.quiet_hours ?? QUIET);
  const [problems, setProblems] = useState<readonly { path: string; message: string }[]>([]);
  const [busy, startTransition] = useTransition();
  const problemAt = (start: string) =>
    problems.find(
      ({ path }) => path === start || (path.startsWith(start) && /^[.[]/.test(path.slice(start.length))),
    )?.message;
  const change = (key: number, part: Partial<CalendarDraft>) =>
    setCalendars((before) => before.map((each) => (each.key === key ? { ...each, ...part } : each)));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const names = calendars.map(({ name }) => name.trim());
    const twice = names.find((name, place) => names.indexOf(name) !== place);
    if (twice !== undefined)
      return setProblems([
        { path: `hours${keyInPath(twice)}`, message: `Two calendars are named “${twice}”.` },
      ]);
    startTransition(async () => {
      const result = await save({
        zone: zone.trim(),
        hours: Object.fromEntries(calendars.map(({ name, week }) => [name.trim(), readWeek(week)])),
        holidays: Object.fromEntries(
          calendars.map(({ name, holidays }) => [name.trim(), holidays.split(/\s+/).filter(Boolean)]),
        ),
        quiet_hours: isQuiet ? quiet : null,
      });
      if (result.ok) return void toast.success('Time saved');
      setProblems(result.error.problems);
      if (result.error.problems.length === 0) toast.error(result.error.message);
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-6">
      <Card
        title="Time zone"
        description="For all times on screens, in reports, mails and texts, for opening hours and delays until a time, and for customers whose zone is unknown."
      >
        <Field label="Time zone" help="Type a city, such as Berlin." error={problemAt('zone')}>
          <ZoneInput value={zone} onChange={setZone} />
        </Field>
      </Card>
      <Card
        title="Opening hours"
        description="Workflows can wait until you open, and answer differently while you are closed."
        actions={
          <Button
            onClick={() => {
              setCalendars((before) => [...before, newCalendar(nextKey)]);
              setNextKey(nextKey + 1);
            }}
          >
            <Plus aria-hidden />
            Add calendar
          </Button>
        }
      >
        {calendars.length === 0 ? (
          <p className="text-muted">Add a calendar with the hours of your shop or team.</p>
        ) : (
          <div className="flex flex-col gap-6">
            {calendars.map((calendar) => (
              <CalendarFields
                key={calendar.key}
                calendar={calendar}
                problemAt={problemAt}
                onChange={(part) => change(calendar.key, part)}
                onRemove={() => setCalendars((before) => before.filter(({ key }) => key !== calendar.key))}
              />
            ))}
          </div>
        )}
      </Card>
      <Card
        title="Quiet hours"
        description="Marketing templates that workflows send wait until quiet hours end where the customer is."
        footer={
          <Button type="submit" variant="primary" loading={busy}>
            Save
          </Button>
        }
      >
        <div className="flex flex-col gap-4">
          <Checkbox
            label="Hold back marketing during quiet hours"
            checked={isQuiet}
            onCheckedChange={setIsQuiet}
          />
          {isQuiet && (
            <div className="flex flex-wrap gap-4">
              <Field label="From" error={problemAt('quiet_hours.from')}>
                <TimeInput value={quiet.from} onChange={(from) => setQuiet({ ...quiet, from })} />
              </Field>
              <Field label="Until" error={problemAt('quiet_hours.to')}>
                <TimeInput value={quiet.to} onChange={(to) => setQuiet({ ...quiet, to })} />
              </Field>
            </div>
          )}
          <p className="text-sm text-muted">
            <HelpLink page="customers">How a customer’s time zone is found</HelpLink>
          </p>
        </div>
      </Card>
    </form>
  );
}

/** As the paths of problems have it. */
const keyInPath = (name: string): string => (/[^\w$]/.test(name) ? `[${JSON.stringify(name)}]` : `.${name}`);

const readWeek = (week: CalendarDraft['week']) =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, readSpans(week[day])])) as Record<Weekday, Span[]>;

const TimeInput = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <Input type="time" className="w-36!" value={value} onChange={({ target }) => onChange(target.value)} />
);

interface CalendarFieldsProps {
  calendar: CalendarDraft;
  problemAt: (start: string) => string | undefined;
  onChange: (part: Partial<CalendarDraft>) => void;
  onRemove: () => void;
}

function CalendarFields({ calendar, problemAt, onChange, onRemove }: CalendarFieldsProps) {
  const { week, holidays } = calendar;
  const name = calendar.name.trim();
  const key = keyInPath(name);
  const problemOf = (day: Weekday) => problemAt(`hours${key}.${day}`);
  const other = WEEKDAYS.some(problemOf) ? undefined : problemAt(`hours${key}`);
  return (
    <fieldset className="flex flex-col gap-4 border-line not-first:border-t not-first:pt-6">
      <legend className="sr-only">Calendar {name}</legend>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1 sm:max-w-80">
          <Field label="Name of the calendar" error={other}>
            <Input
              value={calendar.name}
              maxLength={60}
              onChange={({ target }) => onChange({ name: target.value })}
            />
          </Field>
        </div>
        <IconButton label={`Remove ${name || 'calendar'}`} onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {WEEKDAYS.map((day) => (
          <Field key={day} label={DAYS[day]} error={problemOf(day)}>
            <Input
              value={week[day]}
              placeholder="Closed"
              onChange={({ target }) => onChange({ week: { ...week, [day]: target.value } })}
            />
          </Field>
        ))}
      </div>
      <p className="text-sm text-muted">
        Times such as 09:00–12:00, 14:00–18:00. An end before its start, as in 18:00–02:00, is on the next
        day.
      </p>
      <Field
        label="Holidays"
        help="Dates on which it doesn’t open, one a line, such as 2026-12-25."
        error={problemAt(`holidays${key}`)}
      >
        <Textarea
          rows={3}
          className="sm:max-w-80"
          value={holidays}
          onChange={({ target }) => onChange({ holidays: target.value })}
        />
      </Field>
    </fieldset>
  );
}
