'use client';
import { useChangeSettings, usePanel } from '#components/task-panel/panel-context.tsx';
import type { SettingFieldProps } from '#components/task-panel/setting-field-props.ts';
import type { SettingFields } from '#components/task-panel/task-types/task-look.ts';
import { TextField } from '#components/task-panel/text-field.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { quickRepliesOf } from '#lib/messaging/message-templates/schema/describe-template.ts';
import type { PickedTemplate } from '#lib/screens/editor-types.ts';
import { TEMPLATE_FIELDS } from '#lib/tasks/messaging-business/template-settings.ts';
import { AnswersCallout } from './answers-callout.tsx';
import { TemplateForm, usePickedTemplate } from './template-form.tsx';

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

/** The values of a question's message template, and whether its buttons are the exits. */
export function AskTemplateField(props: SettingFieldProps) {
  const template = usePickedTemplate(true);
  const change = useChangeSettings();
  if (!template) return <TextField {...props} />;
  return (
    <div className="flex flex-col gap-3">
      <TemplateForm template={template} change={change} />
      <QuickReplies template={template} />
    </div>
  );
}

function QuickReplies({ template }: { template: PickedTemplate }) {
  const { task, canEdit } = usePanel();
  const change = useChangeSettings();
  const replies = quickRepliesOf(template.components);
  const titles = replies.map(({ title }) => `“${title}”`).join(', ');
  if (replies.length === 0)
    return (
      <Callout tone="warning">This template has no quick reply buttons: customers can only write.</Callout>
    );
  if (isSame(task.settings['quick_replies'], replies))
    return <p className="text-sm text-muted">Each quick reply has its own exit: {titles}.</p>;
  return (
    <div data-field="settings.quick_replies">
      <Callout tone="warning">
        <p>The exits are not the quick replies of this template: {titles}.</p>
        {canEdit && (
          <Button size="sm" className="mt-2" onClick={() => change({ quick_replies: replies })}>
            Use them as exits
          </Button>
        )}
      </Callout>
    </div>
  );
}

function isSame(value: unknown, replies: ReturnType<typeof quickRepliesOf>): boolean {
  const chosen = Array.isArray(value) ? (value as { title?: unknown; index?: unknown }[]) : [];
  return (
    chosen.length === replies.length &&
    replies.every(
      ({ title, index }, place) => chosen[place]?.title === title && chosen[place].index === index,
    )
  );
}
