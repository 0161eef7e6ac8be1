'use client';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import type { SettingFields } from '../task-look.ts';
import { AnswersCallout } from './answers-callout.tsx';
import { TEMPLATE_FIELDS } from '#lib/tasks/messaging-business/template-settings.ts';
import { usePickedTemplate } from './template-form.tsx';

/** For a known template all values are together in its parameters' fields (`AskTemplateField`). */
const REPLACED = [...TEMPLATE_FIELDS.filter((name) => name !== 'template_parameters'), 'quick_replies'];

/** The plain form of a question, without fields that a known message template defines. */
export function AskForm({ Fields }: { Fields: SettingFields }) {
  const template = usePickedTemplate(usePanel().task.settings['answer_by'] === 'template');
  return (
    <>
      <AnswersCallout />
      <Fields hidden={template ? REPLACED : []} />
    </>
  );
}
