import type { OutgoingMessage, TemplateHeaderValue } from '#lib/messaging/platform/messages.ts';
import { TaskError } from '#lib/engine/task-executor.ts';
import type { ActionCall, ActionResult } from './call.ts';
import { accept, type Fields } from './fields.ts';
import { readButtonIndex, readChoice, readHeaderFile, readParameters } from './rules.ts';

const HEADER_TYPES = ['text', 'image', 'video', 'document'] as const;

/** Spec, send_template: works at any time, with no window. */
export async function sendTemplate(call: ActionCall): Promise<ActionResult> {
  const { fields } = call;
  fields.required('business_account_id');
  const { phoneNumberId, recipient, note } = call.target();
  const message = readTemplateMessage(fields);
  const messageId = await call.send(message, { phoneNumberId, recipient });
  return {
    output: { message_id: messageId, recipient, template_name: message.name, ...note },
    runText: 'Template sent successfully.',
  };
}

/** The message template that the fields name, with what it is filled with. @throws TaskError */
export function readTemplateMessage(fields: Fields): Extract<OutgoingMessage, { type: 'template' }> {
  return {
    type: 'template',
    name: fields.required('template_name'),
    language: fields.text('template_language') || 'en_US',
    parameters: accept(readParameters(fields.parameters('template_parameters')), 'invalid_parameters'),
    header: readHeader(fields),
    button: readButton(fields),
  };
}

function readHeader(fields: Fields): TemplateHeaderValue | undefined {
  const value = fields.text('header_value');
  if (value === '') return undefined;
  const type = accept(readChoice('header_type', fields.text('header_type') || 'text', HEADER_TYPES));
  if (type === 'text') return { type, text: value };
  const { value: source, problem } = readHeaderFile(type, value);
  if (problem !== undefined) throw new TaskError('media_failure', `Media failure: ${problem}`);
  return { type, source };
}

function readButton(fields: Fields): { index: number; text: string } | undefined {
  const text = fields.text('button_parameter');
  return text === '' ? undefined : { text, index: accept(readButtonIndex(fields.value('button_index'))) };
}
