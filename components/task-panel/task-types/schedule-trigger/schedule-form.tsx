'use client';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { HelpLink } from '#components/help/help-link.tsx';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { useFieldWords } from '#components/task-panel/field-words.tsx';
import { useChangeSettings, usePanel } from '#components/task-panel/panel-context.tsx';
import type { SettingFields } from '#components/task-panel/task-types/task-look.ts';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { ZoneInput } from '#components/ui/form/zone-input.tsx';
import { formatScheduled } from '#components/ui/format.ts';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { useNow } from '#components/ui/relative-time.tsx';
import { findCronProblem, listTicks } from '#lib/core/time/cron.ts';
import { isZone } from '#lib/core/time/zones.ts';
import {
  DAY_NAMES,
  HOUR_STEPS,
  MINUTE_STEPS,
  type PlainSchedule,
  readPlain,
  writeCron,
} from '#lib/tasks/schedule-trigger/plain-schedule.ts';
import { settingWords } from '#lib/tasks/setting-values.ts';

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

/** When the workflow starts: in plain choices, or as cron; and the next times. */
export function ScheduleForm({ Fields }: { Fields: SettingFields }) {
  const { task, fields } = usePanel();
  const workspaceZone = useEditorState((state) => state.time.zone);
  const initial = fields.find(({ name }) => name === 'cron')?.defaultValue;
  const cron = settingWords(task.settings['cron'] ?? initial);
  const own = settingWords(task.settings['time_zone']);
  return (
    <>
      <WhenFields key={task.id} cron={cron} />
      <NextStarts cron={cron} zone={own || workspaceZone} isOwn={own !== ''} />
      <StartNow />
      <ZoneField value={own} workspaceZone={workspaceZone} />
      <Fields only={['if_missed']} />
      <p>
        <HelpLink page="schedules">Schedules</HelpLink>
      </p>
    </>
  );
}

function WhenFields({ cron }: { cron: string }) {
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

function ZoneField({ value, workspaceZone }: { value: string; workspaceZone: string }) {
  const { canEdit } = usePanel();
  const change = useChangeSettings();
  const words = useFieldWords(
    'settings.time_zone',
    `Type a city, such as Berlin. Empty: the time zone of the workspace, ${workspaceZone}, also when that changes.`,
  );
  return (
    <div data-field="settings.time_zone">
      <Field label="Time zone" {...words}>
        <ZoneInput
          value={value}
          placeholder={workspaceZone}
          readOnly={!canEdit}
          onChange={(zone) => change({ time_zone: zone === '' ? undefined : zone })}
        />
      </Field>
    </div>
  );
}

/** Starts the published version, outside of its schedule. */
function StartNow() {
  const { editor, actions } = useEditorContext();
  const { publishedVersion, active } = useEditorState((state) => state.live);
  const [busy, setBusy] = useState(false);
  const [asks, setAsks] = useState(false);
  if (!editor.canEdit || publishedVersion === null || !active) return null;
  const start = async () => {
    setBusy(true);
    try {
      const result = await actions.startNow({ id: editor.workflowId });
      if (!result.ok) return void toast.error(result.error.message);
      toast.success('Started. Its run is in Runs.');
    } catch {
      toast.error('The server cannot be reached. Try again in a moment.');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        size="sm"
        className="self-start"
        icon={<Play aria-hidden />}
        loading={busy}
        onClick={() => setAsks(true)}
      >
        Start now
      </Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title="Start the workflow now?"
        description={`Version ${publishedVersion} runs at once, and sends real requests and messages. The schedule stays as it is.`}
        confirmLabel="Start workflow"
        onConfirm={start}
      />
    </>
  );
}

const SHOWN_STARTS = 5;

/** Nothing while the schedule or its zone is wrong: their fields say so. */
function NextStarts({ cron, zone, isOwn }: { cron: string; zone: string; isOwn: boolean }) {
  const now = useNow();
  if (now === null || !isZone(zone) || findCronProblem(cron) !== undefined) return null;
  const starts = listTicks(cron, zone, new Date(now), SHOWN_STARTS);
  return (
    <section aria-label="Next starts" className="rounded-lg border border-line bg-canvas px-3 py-2.5">
      <h3 className="text-sm font-medium">Next starts</h3>
      <p className="text-xs text-muted">
        {zone}
        {!isOwn && ', the time zone of the workspace'}
      </p>
      <ol className="mt-1.5 flex flex-col gap-0.5 text-sm tabular-nums">
        {starts.map((at) => (
          <li key={at.getTime()}>{formatScheduled(at, zone)}</li>
        ))}
      </ol>
    </section>
  );
}
