'use client';
import { useChangeSettings } from '#components/task-panel/use-change-settings.ts';
import type { SettingFields } from '../task-look.ts';
import { TEMPLATE_FIELDS, TemplateForm, usePickedTemplate } from './template-form.tsx';

/** The plain form; while it is known which message template is sent, fields for exactly what that takes. */
export function MessagingForm({ Fields }: { Fields: SettingFields }) {
  const template = usePickedTemplate();
  const change = useChangeSettings();
  return (
    <>
      <Fields hidden={template ? TEMPLATE_FIELDS : []} />
      {template && <TemplateForm template={template} change={change} />}
    </>
  );
}
