'use client';
import { useEditor } from '#components/editor/editor-context.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Switch } from '#components/ui/form/checkbox.tsx';
import { toggleDisabled, updateTask } from '#lib/editor/canvas/commands.ts';
import { type IfInterrupted, type OnFailure, onFailureOf } from '#lib/engine/graph-types.ts';
import { usePanel } from './panel-context.tsx';

const ON_FAILURE: { value: OnFailure; label: string; description: string }[] = [
  { value: 'stop', label: 'Stop the run', description: 'No later task runs.' },
  { value: 'continue', label: 'Continue anyway', description: 'Later tasks see that it failed.' },
  {
    value: 'branch',
    label: 'Continue on the "Failed" branch',
    description: 'Adds a “Failed” branch to the task.',
  },
];

const IF_INTERRUPTED: { value: IfInterrupted | 'default'; label: string; description: string }[] = [
  {
    value: 'default',
    label: 'Default for this task',
    description: 'Messages are flagged, everything else is repeated.',
  },
  { value: 'flag', label: 'Flag for review', description: 'Not repeated automatically. A person decides.' },
  { value: 'retry', label: 'Repeat it', description: 'The task may happen twice.' },
];

/** Settings of every task: failure, interruption, attempts, skipping. */
export function CommonSettings() {
  const editor = useEditor();
  const { task, canEdit } = usePanel();
  const change = (label: string, update: Parameters<typeof updateTask>[2]) =>
    editor.run(label, (document) => updateTask(document, task.id, update), `common:${task.id}:${label}`);
  return (
    <section aria-label="Reliability" className="flex flex-col gap-4">
      <h2 className="font-semibold">Reliability</h2>
      <Field label="If the task fails">
        <Select
          aria-label="If the task fails"
          disabled={!canEdit}
          options={ON_FAILURE}
          value={onFailureOf(task)}
          onValueChange={(value) =>
            change('If the task fails', { on_failure: value === 'stop' ? undefined : value })
          }
        />
      </Field>
      <Field label="Attempts" help="Total number of tries when an error can be retried. Default: 5.">
        <Input
          type="number"
          min={1}
          max={100}
          placeholder="Default: 5"
          readOnly={!canEdit}
          value={task.max_attempts ?? ''}
          onChange={({ target }) => {
            const attempts = Math.trunc(Number(target.value));
            const isGiven = target.value !== '' && attempts >= 1;
            change('Attempts', { max_attempts: isGiven ? Math.min(attempts, 100) : undefined });
          }}
        />
      </Field>
      <Field label="If the server stops during the task">
        <Select
          aria-label="If the server stops during the task"
          disabled={!canEdit}
          options={IF_INTERRUPTED}
          value={task.if_interrupted ?? 'default'}
          onValueChange={(value) =>
            change('If interrupted', { if_interrupted: value === 'default' ? undefined : value })
          }
        />
      </Field>
      <div>
        <Switch
          label="Skip this task"
          checked={task.disabled === true}
          disabled={!canEdit}
          onCheckedChange={() =>
            editor.run('Skip or run a task', (document) => toggleDisabled(document, [task.id]))
          }
        />
        <p className="mt-1 text-sm text-muted">Later tasks run without its output.</p>
      </div>
    </section>
  );
}
