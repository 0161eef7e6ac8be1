import { callForScreen } from '#lib/messaging/connections/call-for-screen.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { chooseAccountId } from '#lib/messaging/connections/list-phone-numbers.ts';
import { listDetailedTemplates } from '#lib/messaging/platform/templates.ts';
import type { MessageTemplate } from './schema.ts';

export interface TemplateFilter {
  id: string;
  businessAccountId?: string | undefined;
  /** Any of the platform's statuses, such as APPROVED. */
  status?: string | undefined;
  limit: number;
}

/** The message templates of a connection's business account, as the platform lists them now. @throws AppError */
export async function listMessageTemplates(
  ctx: MessagingContext,
  filter: TemplateFilter,
): Promise<MessageTemplate[]> {
  const { id, status, limit } = filter;
  const accountId = await chooseAccountId(ctx, id, filter.businessAccountId);
  const isWanted = (template: { status: string }): boolean =>
    status === undefined || template.status === status;
  const templates = await callForScreen(ctx, id, undefined, (access) =>
    listDetailedTemplates(access, accountId, { limit, isWanted }),
  );
  return templates.map((template) => ({
    ...template,
    components: Array.isArray(template.components) ? template.components : [],
    parameter_format: template.parameter_format || null,
    previous_category: template.previous_category || null,
    correct_category: template.correct_category || null,
  }));
}
