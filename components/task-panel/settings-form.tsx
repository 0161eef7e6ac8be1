'use client';
import { ChevronRight } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { type FormField, groupFields, isVisible } from '#lib/editor/canvas/form-fields.ts';
import { useChangeSettings, usePanel } from './panel-context.tsx';
import { SettingField } from './setting-field.tsx';
import { findTaskLook } from './task-types/looks.ts';
import type { SettingFields } from './task-types/task-look.ts';

/** The settings of a task, in the form of its schema, or in its type's own one. */
export function SettingsForm() {
  const { task, fields } = usePanel();
  const Form = findTaskLook(task.type)?.Form;
  if (fields.length === 0) return null;
  return <div className="flex flex-col gap-4">{Form ? <Form Fields={Fields} /> : <Fields />}</div>;
}

function Fields({ hidden = [], only }: ComponentProps<SettingFields>) {
  const { task, fields } = usePanel();
  const change = useChangeSettings();
  const shown = fields
    .filter(({ name }) => !hidden.includes(name) && (only?.includes(name) ?? true))
    .filter((field) => isVisible(field, task.settings, fields));
  return groupFields(shown).map(({ group, fields: together }) => {
    const controls = together.map((field) => (
      <SettingField
        key={keyOf(field, task.settings)}
        field={field}
        path={`settings.${field.name}`}
        value={task.settings[field.name]}
        onChange={(value) => change({ [field.name]: value })}
      />
    ));
    if (group === undefined) return controls;
    return (
      <FieldGroup key={`${task.id}:${group}`} title={group} fields={together}>
        {controls}
      </FieldGroup>
    );
  });
}

/** A field may have another meaning for another value of the field that shows it: then it is remounted. */
function keyOf(
  { name, meta: { visibleWhen } }: FormField,
  settings: Readonly<Record<string, unknown>>,
): string {
  const shownBy = visibleWhen && settings[visibleWhen.field];
  return typeof shownBy === 'string' ? `${name}:${shownBy}` : name;
}

interface FieldGroupProps {
  title: string;
  fields: readonly FormField[];
  children: ReactNode;
}

/** Rarely used settings: collapsed, unless some are set or have a problem. */
function FieldGroup({ title, fields, children }: FieldGroupProps) {
  const { task, problems } = usePanel();
  const isUsed = fields.some(({ name, defaultValue }) => {
    const { [name]: value = defaultValue } = task.settings;
    return value !== defaultValue && value !== '';
  });
  const hasProblem = problems.some(({ field }) => fields.some(({ name }) => field === `settings.${name}`));
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <details
      className="group rounded-lg border border-line"
      open={isOpen || hasProblem}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex cursor-pointer items-center gap-2 rounded-lg px-3 py-2 font-medium">
        <ChevronRight aria-hidden className="size-4 shrink-0 transition-transform group-open:rotate-90" />
        {title}
        {!isOpen && isUsed && <span className="text-sm font-normal text-muted">in use</span>}
      </summary>
      <div className="flex flex-col gap-4 px-3 pb-3 pt-1">{children}</div>
    </details>
  );
}
