'use client';
import { useEditorState } from '#components/editor/editor-context.tsx';
import { PhonePreview } from '#components/phone/phone-preview.tsx';
import { useChangeSettings, usePanel } from '#components/task-panel/panel-context.tsx';
import { findTemplate } from '#components/task-panel/picks.ts';
import type { SettingFields } from '#components/task-panel/task-types/task-look.ts';
import { usePickerOptions } from '#components/task-panel/use-picker-options.ts';
import { Callout } from '#components/ui/callout.tsx';
import { renderPreview } from '#lib/editor/canvas/sample-scope.ts';
import { listExamples } from '#lib/messaging/message-templates/schema/describe-template.ts';
import { previewTemplate } from '#lib/messaging/message-templates/schema/preview-template.ts';
import { readTemplateParts } from '#lib/messaging/message-templates/schema/template-slots.ts';
import type { TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import type { PickedTemplate } from '#lib/screens/editor-types.ts';
import { DELIVERY_FIELDS } from '#lib/tasks/messaging-business/delivery/exits.ts';
import { TEMPLATE_FIELDS } from '#lib/tasks/messaging-business/template-settings.ts';
import { isWrittenOut, SlotField, valueInSettings } from './slot-field.tsx';

/** The message template that the task sends, if known. @param isSending whether it sends one */
export function usePickedTemplate(isSending: boolean): PickedTemplate | undefined {
  const { task } = usePanel();
  const { template_name: name, template_language: language = 'en_US' } = task.settings;
  const { data } = usePickerOptions(isSending ? 'message_template' : undefined);
  if (!isSending || typeof name !== 'string' || name === '') return undefined;
  const { template_parameters: parameters, template_values: values } = task.settings;
  if (!isWrittenOut(parameters) || !isWrittenOut(values)) return undefined;
  return findTemplate(data ?? [], { name, language });
}

/** The fields of a template, and a preview of the message. */
export function TemplateForm({
  template,
  change,
}: {
  template: PickedTemplate;
  change: (settings: Record<string, unknown>) => void;
}) {
  const { task, values } = usePanel();
  const { slots, unfillable } = readTemplateParts(template);
  const senderName = useSenderName();
  const hasSample = useEditorState(({ sample }) => sample !== undefined);
  const examples = listExamples(template.components);
  const asked = slots.filter(({ sameAs }) => sameAs === undefined);
  const cards = [...new Set(asked.flatMap(({ card }) => (card === undefined ? [] : [card])))];
  const fieldsOf = (card: number | undefined) =>
    asked
      .filter((slot) => slot.card === card)
      .map((slot) => (
        <SlotField key={slot.key} slot={slot} slots={slots} example={examples[slot.key]} change={change} />
      ));
  // Without a sample every variable is empty: the template's own examples say more.
  const rendered = (variableText: string): string | undefined => {
    const preview = renderPreview(variableText, values.scope);
    return preview.kind === 'text' ? preview.text : hasSample ? '' : undefined;
  };
  const shown = (slot: TemplateSlot): string | undefined => {
    const source = slots.find(({ key }) => key === slot.sameAs) ?? slot;
    const value = valueInSettings(task.settings, source, slots);
    if (value !== '') return rendered(value);
    return source.in === 'body' ? `{{${source.placeholder ?? ''}}}` : undefined;
  };
  return (
    <section aria-label="Template content" className="flex flex-col gap-4 rounded-lg border border-line p-3">
      {unfillable.length > 0 && (
        <Callout tone="danger">
          This template has {unfillable.join(' and ')}, which cannot be sent from here. Select another
          template.
        </Callout>
      )}
      {fieldsOf(undefined)}
      {cards.map((card) => (
        <fieldset key={card} className="flex flex-col gap-4 rounded-md border border-line p-3">
          <legend className="px-1 text-sm font-medium">Card {card + 1}</legend>
          {fieldsOf(card)}
        </fieldset>
      ))}
      <PhonePreview
        senderName={senderName}
        message={previewTemplate(
          template.components,
          Object.fromEntries(slots.map((slot) => [slot.key, shown(slot)])),
        )}
      />
    </section>
  );
}

/** The name of the sending number. */
function useSenderName(): string {
  const { task } = usePanel();
  const { data } = usePickerOptions('phone_number');
  return data?.find(({ value }) => value === task.settings['phone_number_id'])?.label ?? 'Your business';
}

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
