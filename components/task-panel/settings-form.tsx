'use client';
import { useMemo } from 'react';
import { isVisible, listFormFields } from '#lib/editor/canvas/form-fields.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { usePanel } from './panel-context.tsx';
import { SettingField } from './setting-field.tsx';
import { TEMPLATE_FIELDS, TemplateForm, usePickedTemplate } from './template-form.tsx';
import { useChangeSettings } from './use-change-settings.ts';

/** The settings of a task, in the form that its type's schema describes. */
export function SettingsForm() {
  const { task } = usePanel();
  const schema = findTaskDefinition(task.type)?.settings;
  const fields = useMemo(() => (schema ? listFormFields(schema) : []), [schema]);
  const template = usePickedTemplate();
  // The same name means something else under another action: the field starts over.
  const action = typeof task.settings['action'] === 'string' ? task.settings['action'] : '';
  const change = useChangeSettings();
  const shown = fields.filter(
    (field) => isVisible(field, task.settings, fields) && !(template && TEMPLATE_FIELDS.includes(field.name)),
  );
  if (fields.length === 0) return null;
  return (
    <div className="flex flex-col gap-4">
      {shown.map((field) => (
        <SettingField
          key={`${field.name}:${action}`}
          field={field}
          path={`settings.${field.name}`}
          value={task.settings[field.name]}
          onChange={(value) => change({ [field.name]: value })}
        />
      ))}
      {template && <TemplateForm template={template} change={change} />}
    </div>
  );
}
