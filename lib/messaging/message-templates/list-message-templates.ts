import { and, eq, inArray } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { callForScreen } from '#lib/messaging/connections/call-for-screen.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { chooseAccountId } from '#lib/messaging/connections/list-accounts.ts';
import { listDetailedTemplates } from '#lib/messaging/platform/templates.ts';
import { requestedCategories } from '#lib/messaging/schema/messaging.ts';
import type { MessageTemplate } from './schema.ts';

export interface TemplateFilter {
  id: string;
  businessAccountId?: string | undefined;
  /** Any of the platform's statuses, such as APPROVED. */
  status?: string | undefined;
  limit: number;
}

/** The message templates of a connection's business account, from the platform's current list. @throws AppError */
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
  const requested = await findRequested(
    ctx,
    templates.map((template) => template.id),
  );
  return templates.map((template) => ({
    ...template,
    requested_category: requested.get(template.id) ?? null,
    components: Array.isArray(template.components) ? template.components : [],
    parameter_format: template.parameter_format || null,
    previous_category: template.previous_category || null,
    correct_category: template.correct_category || null,
  }));
}

/** Requested categories of templates that were created here, by template id. */
async function findRequested(
  { db, workspaceId }: MessagingContext,
  ids: string[],
): Promise<ReadonlyMap<string, string>> {
  const { templateId, category } = requestedCategories;
  const rows = await db
    .select({ templateId, category })
    .from(requestedCategories)
    .where(and(eq(requestedCategories.workspaceId, workspaceId), inArray(templateId, ids)));
  return new Map(rows.map((row) => [row.templateId, row.category]));
}

const MAX_TEMPLATES = 6000;

/** One message template of a connection's business account, queried from the platform. @throws AppError `not_found` */
export async function getMessageTemplate(
  ctx: MessagingContext,
  { id, templateId }: { id: string; templateId: string },
): Promise<MessageTemplate> {
  const templates = await listMessageTemplates(ctx, { id, limit: MAX_TEMPLATES });
  const template = templates.find((each) => each.id === templateId);
  if (!template) throw new AppError('not_found', 'The business account has no such message template.');
  return template;
}
