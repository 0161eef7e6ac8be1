'use client';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import { useChangeSettings } from '#components/task-panel/use-change-settings.ts';
import { DELIVERY_FIELDS } from '#lib/tasks/messaging-business/delivery/exits.ts';
import type { SettingFields } from '../task-look.ts';
import { TEMPLATE_FIELDS } from '#lib/tasks/messaging-business/template-settings.ts';
import { TemplateForm, usePickedTemplate } from './template-form.tsx';

/** The plain form; for a known message template, exactly its fields. */
export function MessagingForm({ Fields }: { Fields: SettingFields }) {
  const { action = 'send_template' } = usePanel().task.settings;
  const template = usePickedTemplate(action === 'send_template');
  const change = useChangeSettings();
  return (
    <>
      <Fields hidden={template ? [...TEMPLATE_FIELDS, ...DELIVERY_FIELDS] : DELIVERY_FIELDS} />
      {template && <TemplateForm template={template} change={change} />}
      <Fields only={DELIVERY_FIELDS} />
    </>
  );
}
