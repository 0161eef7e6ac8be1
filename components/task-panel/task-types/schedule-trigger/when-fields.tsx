'use client';
import { useState } from 'react';
import { useFieldWords } from '#components/task-panel/field-words.tsx';
import { useChangeSettings, usePanel } from '#components/task-panel/panel-context.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { findCronProblem } from '#lib/core/time/cron.ts';
import {
  DAY_NAMES,
  HOUR_STEPS,
  MINUTE_STEPS,
  type PlainSchedule,
  readPlain,
  writeCron,
} from '#lib/tasks/schedule-trigger/plain-schedule.ts';

type Frequency = PlainSchedule['every'] | 'cron';

const FREQUENCIES: readonly { value: Frequency; label: string }[] = [
  { value: 'minutes', label: 'Every few minutes' },
  { value: 'hours', label: 'Every few hours' },
  { value: 'day', label: 'Every day' },
  { value: 'weekday', label: 'Weekdays, Monday to Friday' },
  { value: 'week', label: 'On chosen days of the week' },
  { value: 'month', label: 'Every month' },
  { value: 'cron', label: 'Custom (cron)' },
];

/** How often it starts and at what time, which become a cron expression; or that. */
export function WhenFields({ cron }: { cron: string }) {
  const { canEdit } = usePanel();
  const change = useChangeSettings();
  const [chosen, setChosen] = useState<Frequency>();
  const plain = readPlain(cron);
  const frequency = frequencyOf(chosen, plain);
  const choose = (next: Frequency) => {
    setChosen(next);
    if (next !== 'cron') change({ cron: writeCron(startOf(next, plain)) });
  };
  return (
    <>
      <Field label="How often">
        <Select
          aria-label="How often"
          options={FREQUENCIES}
          value={frequency}
          disabled={!canEdit}
          onValueChange={choose}
        />
      </Field>
      {plain && frequency !== 'cron' ? (
        <PlainFields
          // Weekdays are days of the week, too.
          schedule={frequency === 'week' && plain.every === 'weekday' ? startOf('week', plain) : plain}
          onChange={(next) => change({ cron: writeCron(next) })}
        />
      ) : (
        <CronField cron={cron} />
      )}
    </>
  );
}

function frequencyOf(chosen: Frequency | undefined, plain: PlainSchedule | undefined): Frequency {
  if (chosen === 'cron' || !plain) return 'cron';
  return chosen === 'week' && plain.every === 'weekday' ? 'week' : plain.every;
}

const WORKDAYS = [1, 2, 3, 4, 5];

/** A schedule with this frequency that keeps the time of the previous one. */
function startOf(every: PlainSchedule['every'], before: PlainSchedule | undefined): PlainSchedule {
  const time = before && 'time' in before ? before.time : '09:00';
  if (every === 'minutes') return { every, step: 15 };
  if (every === 'hours') return { every, step: 1, minute: 0 };
  if (every === 'month') return { every, time, day: 1 };
  if (every === 'week') return { every, time, days: before?.every === 'weekday' ? WORKDAYS : [1] };
  return { every, time };
}

interface PlainFieldsProps {
  schedule: PlainSchedule;
  onChange: (schedule: PlainSchedule) => void;
}

function PlainFields({ schedule, onChange }: PlainFieldsProps) {
  if (schedule.every === 'minutes')
    return (
      <NumberSelect
        label="Minutes between starts"
        values={MINUTE_STEPS}
        value={schedule.step}
        onChange={(step) => onChange({ ...schedule, step })}
      />
    );
  if (schedule.every === 'hours')
    return (
      <div className="grid grid-cols-2 gap-3">
        <NumberSelect
          label="Hours between starts"
          values={HOUR_STEPS}
          value={schedule.step}
          onChange={(step) => onChange({ ...schedule, step })}
        />
        <NumberSelect
          label="At minute"
          values={MINUTES}
          value={schedule.minute}
          onChange={(minute) => onChange({ ...schedule, minute })}
        />
      </div>
    );
  return (
    <>
      {schedule.every === 'week' && (
        <DaysField days={schedule.days} onChange={(days) => onChange({ ...schedule, days })} />
      )}
      <div className="grid grid-cols-2 gap-3">
        {schedule.every === 'month' && (
          <MonthDayField day={schedule.day} onChange={(day) => onChange({ ...schedule, day })} />
        )}
        <TimeField time={schedule.time} onChange={(time) => onChange({ ...schedule, time })} />
      </div>
    </>
  );
}

const MINUTES = Array.from({ length: 60 }, (_, minute) => minute);

interface NumberSelectProps {
  label: string;
  values: readonly number[];
  value: number;
  onChange: (value: number) => void;
}

function NumberSelect({ label, values, value, onChange }: NumberSelectProps) {
  const { canEdit } = usePanel();
  return (
    <Field label={label}>
      <Select
        aria-label={label}
        options={values.map((each) => ({ value: String(each), label: String(each) }))}
        value={String(value)}
        disabled={!canEdit}
        onValueChange={(next) => onChange(Number(next))}
      />
    </Field>
  );
}

function TimeField({ time, onChange }: { time: string; onChange: (time: string) => void }) {
  const { canEdit } = usePanel();
  return (
    <Field label="Time">
      <Input
        type="time"
        value={time}
        readOnly={!canEdit}
        required
        // It is empty while a part of it is cleared.
        onChange={({ target }) => target.value && onChange(target.value.slice(0, 5))}
      />
    </Field>
  );
}

function DaysField({ days, onChange }: { days: readonly number[]; onChange: (days: number[]) => void }) {
  const { canEdit } = usePanel();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Days</legend>
      <div className="grid grid-cols-2 gap-x-3 gap-y-1.5">
        {DAY_NAMES.map((name, index) => {
          const day = index + 1;
          const isOn = days.includes(day);
          return (
            <Checkbox
              key={name}
              label={name}
              // One day at least: none would be every day.
              disabled={!canEdit || (isOn && days.length === 1)}
              checked={isOn}
              onCheckedChange={(checked) =>
                onChange(checked ? [...days, day] : days.filter((each) => each !== day))
              }
            />
          );
        })}
      </div>
    </fieldset>
  );
}

const LAST = 'last';
const MONTH_DAYS = [
  ...Array.from({ length: 31 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) })),
  { value: LAST, label: 'Last day' },
];

interface MonthDayFieldProps {
  day: number | 'last';
  onChange: (day: number | 'last') => void;
}

function MonthDayField({ day, onChange }: MonthDayFieldProps) {
  const { canEdit } = usePanel();
  const isMissing = typeof day === 'number' && day > 28;
  return (
    <Field
      label="Day of the month"
      help={isMissing ? `Months without day ${day} are left out. “Last day” is in every month.` : undefined}
    >
      <Select
        aria-label="Day of the month"
        options={MONTH_DAYS}
        value={String(day)}
        disabled={!canEdit}
        onValueChange={(next) => onChange(next === LAST ? LAST : Number(next))}
      />
    </Field>
  );
}

function CronField({ cron }: { cron: string }) {
  const { canEdit } = usePanel();
  const change = useChangeSettings();
  const words = useFieldWords(
    'settings.cron',
    'Minute, hour, day of the month, month and day of the week. Example: 30 8 1,15 * * is 8:30 on the 1st and the 15th.',
    { error: findCronProblem(cron) },
  );
  return (
    <div data-field="settings.cron">
      <Field label="Cron expression" {...words}>
        <Input
          className="font-mono"
          value={cron}
          readOnly={!canEdit}
          autoComplete="off"
          spellCheck={false}
          placeholder="0 9 * * 1-5"
          onChange={({ target }) => change({ cron: target.value })}
        />
      </Field>
    </div>
  );
}
