import { AppError } from '#lib/core/errors.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { listMessageTemplates } from './list-message-templates.ts';
import type { MessageTemplate } from './schema.ts';

const MAX_TEMPLATES = 6000;

/** One message template of a connection's business account, as the platform has it now. @throws AppError `not_found` */
export async function getMessageTemplate(
  ctx: MessagingContext,
  { id, templateId }: { id: string; templateId: string },
): Promise<MessageTemplate> {
  const templates = await listMessageTemplates(ctx, { id, limit: MAX_TEMPLATES });
  const template = templates.find((each) => each.id === templateId);
  if (!template) throw new AppError('not_found', 'The business account has no such message template.');
  return template;
}
