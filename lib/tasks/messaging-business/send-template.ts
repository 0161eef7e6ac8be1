import type { OutgoingMessage, TemplateHeaderValue } from '#lib/messaging/platform/messages.ts';
import { TaskError } from '#lib/engine/task-executor.ts';
import { isMediaId } from '#lib/messaging/sending/media-formats.ts';
import type { ActionCall, ActionResult } from './call.ts';
import { accept, type Fields } from './fields.ts';
import { isWebAddress, readButtonIndex, readChoice, readParameters } from './rules.ts';

const HEADER_TYPES = ['text', 'image', 'video', 'document'] as const;

/** Spec, send_template: works at any time, with no window. */
export async function sendTemplate(call: ActionCall): Promise<ActionResult> {
  const { fields } = call;
  fields.required('business_account_id');
  const { phoneNumberId, recipient, note } = call.target();
  const name = fields.required('template_name');
  const message: OutgoingMessage = {
    type: 'template',
    name,
    language: fields.text('template_language') || 'en_US',
    parameters: accept(readParameters(fields.parameters('template_parameters')), 'invalid_parameters'),
    header: readHeader(fields),
    button: readButton(fields),
  };
  const messageId = await call.send(message, { phoneNumberId, recipient });
  return {
    output: { message_id: messageId, recipient, template_name: name, ...note },
    runText: 'Template sent successfully.',
  };
}

function readHeader(fields: Fields): TemplateHeaderValue | undefined {
  const value = fields.text('header_value');
  if (value === '') return undefined;
  const type = accept(readChoice('header_type', fields.text('header_type') || 'text', HEADER_TYPES));
  if (type === 'text') return { type, text: value };
  if (isMediaId(value)) return { type, source: { id: value } };
  if (isWebAddress(value)) return { type, source: { link: value } };
  throw new TaskError(
    'media_failure',
    `Media failure: the header_value must be the public URL of the ${type}, starting with https://, or the id of an uploaded file.`,
  );
}

function readButton(fields: Fields): { index: number; text: string } | undefined {
  const text = fields.text('button_parameter');
  return text === '' ? undefined : { text, index: accept(readButtonIndex(fields.value('button_index'))) };
}
