'use client';
import type { ComponentProps } from 'react';
import { findTaskLook } from '#components/task-panel/task-types/looks.ts';
import type { SettingFields } from '#components/task-panel/task-types/task-look.ts';
import { type FormField, groupFields, isVisible } from '#lib/editor/canvas/form-fields.ts';
import { FieldGroup } from './field-group.tsx';
import { usePanel } from './panel-context.tsx';
import { SettingField } from './setting-field.tsx';
import { useChangeSettings } from './use-change-settings.ts';

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
