import type { OutgoingMessage } from '#lib/messaging/platform/messages.ts';
import type { TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import type { ActionCall, ActionResult } from './call.ts';
import type { Fields } from './fields.ts';
import { fillSlots, findSlots } from './fill-template.ts';

/** Spec, send_template: works at any time, with no window. */
export async function sendTemplate(call: ActionCall): Promise<ActionResult> {
  const { fields } = call;
  fields.required('business_account_id');
  const { phoneNumberId, recipient, note } = call.target();
  const slots = await findSlots(call, readTemplateName(fields));
  const message = readTemplateMessage(fields, slots);
  const sent = await call.send(message, { phoneNumberId, recipient });
  return {
    output: { ...sent, recipient, template_name: message.name, ...note },
    runText: 'Template sent successfully.',
  };
}

/** Which message template the fields name. @throws TaskError */
export const readTemplateName = (fields: Fields): { name: string; language: string } => ({
  name: fields.required('template_name'),
  language: fields.text('template_language') || 'en_US',
});

/** The message template that the fields name, with what it is filled with. @param slots undefined: not known. @throws TaskError */
export const readTemplateMessage = (
  fields: Fields,
  slots: readonly TemplateSlot[] | undefined,
): Extract<OutgoingMessage, { type: 'template' }> => ({
  type: 'template',
  ...readTemplateName(fields),
  values: fillSlots(fields, slots),
});
