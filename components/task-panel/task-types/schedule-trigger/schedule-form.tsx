'use client';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { HelpLink } from '#components/help/help-link.tsx';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { useFieldWords } from '#components/task-panel/field-words.tsx';
import { useChangeSettings, usePanel } from '#components/task-panel/panel-context.tsx';
import type { SettingFields } from '#components/task-panel/task-types/task-look.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { ZoneInput } from '#components/ui/form/zone-input.tsx';
import { formatScheduled } from '#components/ui/format.ts';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { useNow } from '#components/ui/relative-time.tsx';
import { findCronProblem, listTicks } from '#lib/core/time/cron.ts';
import { isZone } from '#lib/core/time/zones.ts';
import { settingWords } from '#lib/tasks/setting-values.ts';
import { WhenFields } from './when-fields.tsx';

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
