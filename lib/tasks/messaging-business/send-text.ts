import { findWindow, isWindowClosed } from '#lib/messaging/sending/find-window.ts';
import type { OutgoingMessage } from '#lib/messaging/platform/messages.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { findTemplateFacts } from '#lib/messaging/message-templates/find-template-facts.ts';
import { slotsOf } from '#lib/messaging/message-templates/schema/describe-template.ts';
import type { ActionCall, ActionResult } from './call.ts';
import { accept } from './fields.ts';
import { fillFallback } from './fill-template.ts';
import { readBoolean, readMessageText } from './rules.ts';
import { readParameters } from './template-settings.ts';
import { windowExpired } from './window.ts';

/**
 * Spec, send_text: the 24-hour window is checked first. Where the customer's last message is known from notifications, it
 * decides; otherwise the platform does. The fallback template, if any, is sent when the window is closed.
 */
export async function sendText(call: ActionCall): Promise<ActionResult> {
  const { fields } = call;
  const { phoneNumberId, recipient, note } = call.target();
  const body = accept(readMessageText(fields.message('message_text')));
  const previewUrl = accept(readBoolean('preview_url', fields.value('preview_url')));
  const fallback = await readFallback(call);
  const sendFallback = async (): Promise<ActionResult> => {
    const sent = await call.send(fallback as OutgoingMessage, { phoneNumberId, recipient });
    const output = {
      ...sent,
      recipient,
      sent: 'template',
      template_name: fallback?.name ?? '',
      ...note,
    };
    return { output, runText: 'Template sent successfully.' };
  };
  const window = await findWindow(call.ctx, { phoneNumberId, customer: recipient });
  if (window && isWindowClosed(window, call.now)) {
    if (fallback) return sendFallback();
    throw windowExpired(window.lastMessageAt, 'Use send_template, or name a fallback template.');
  }
  try {
    const sent = await call.send({ type: 'text', body, previewUrl }, { phoneNumberId, recipient });
    return {
      output: { ...sent, recipient, sent: 'text', ...note },
      runText: 'Text message sent successfully.',
    };
  } catch (error) {
    const isClosed = error instanceof PlatformError && error.kind === 'window';
    if (!isClosed || !fallback) throw error;
    await call.withdraw();
    return sendFallback();
  }
}

async function readFallback(
  call: ActionCall,
): Promise<Extract<OutgoingMessage, { type: 'template' }> | undefined> {
  const { fields, ctx } = call;
  const name = fields.text('fallback_template_name');
  if (name === '') return undefined;
  const language = fields.text('fallback_template_language') || 'en_US';
  const given = accept(
    readParameters(fields.parameters('fallback_template_parameters')),
    'invalid_parameters',
  );
  const connectionId = call.connectionId();
  const facts = await findTemplateFacts(ctx, { connectionId, businessAccountId: '', name, language });
  return { type: 'template', name, language, values: fillFallback(given, facts && slotsOf(facts)) };
}
