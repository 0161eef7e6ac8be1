import { and, eq, isNull } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import type { PickerOption, PickerQuery } from './editor-types.ts';
import { describeLimit, qualityWords, readQuality } from '#lib/messaging/schema/number-words.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { listBusinessAccounts, listPhoneNumbers } from '#lib/messaging/connections/list-accounts.ts';
import { getConnection, listConnections } from '#lib/messaging/connections/connections.ts';
import type { Connection } from '#lib/messaging/connections/schema.ts';
import { AppError, nullIfMissing } from '#lib/core/errors.ts';
import { listMessageTemplates } from '#lib/messaging/message-templates/list-message-templates.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import type { Context } from '#lib/identity/context.ts';
import { readPicks } from '#lib/tasks/picks.ts';
import { listWorkflows } from '#lib/workflows/load-workflow.ts';
import { readAllPages } from './connection-uses.ts';
import type { NamedWorkflow } from './list-types.ts';

const MAX_CONNECTIONS = 200;
const MAX_TEMPLATES = 500;
const MAX_WORKFLOWS = 1000;

/** The options of a task's picker, read now, those of messaging tasks from the platform. @throws AppError */
export async function listPickerOptions(
  ctx: Context,
  { kind, connectionId, businessAccountId }: PickerQuery,
): Promise<PickerOption[]> {
  if (kind === 'connection') {
    const { data } = await listConnections(ctx, { limit: MAX_CONNECTIONS });
    return data.map(toConnectionOption);
  }
  if (kind === 'workflow') return listWorkflowOptions(ctx);
  if (!connectionId) throw new AppError('invalid_request', 'No app connection selected');
  const messaging = toMessagingContext(ctx);
  if (kind === 'business_account') return listAccounts(messaging, connectionId);
  if (kind === 'phone_number') return listPhones(messaging, connectionId, businessAccountId);
  return listTemplates(messaging, connectionId, businessAccountId);
}

async function listWorkflowOptions(ctx: Context): Promise<PickerOption[]> {
  const { id, name, active, holdsRuns, publishedVersion } = workflows;
  const rows = await ctx.db
    .select({ id, name, active, holdsRuns, publishedVersion })
    .from(workflows)
    .where(and(eq(workflows.workspaceId, ctx.workspaceId), isNull(workflows.deletedAt)))
    .orderBy(name, id)
    .limit(MAX_WORKFLOWS);
  return rows.map((row) => ({
    value: row.id,
    label: row.name,
    ...(row.publishedVersion === null
      ? { badge: { text: 'Not published', tone: 'warning' as const } }
      : row.active || row.holdsRuns
        ? {}
        : { badge: { text: 'Paused', tone: 'warning' as const } }),
  }));
}

const toConnectionOption = (connection: Connection): PickerOption => ({
  value: connection.id,
  label: connection.name,
  ...(connection.business_account_name === null ? {} : { detail: connection.business_account_name }),
  ...(connection.business_account_id === null ? {} : { businessAccountId: connection.business_account_id }),
  badge: badgeOf(connection),
});

/** Green only after a successful last check. */
function badgeOf({ status, checked_at, check_problem }: Connection): NonNullable<PickerOption['badge']> {
  if (status === 'needs_reconnecting') return { text: 'Needs reconnecting', tone: 'danger' };
  if (status === 'expires_soon') return { text: 'Expires soon', tone: 'warning' };
  if (checked_at === null || check_problem !== null) return { text: 'Not checked', tone: 'neutral' };
  return { text: 'Connected', tone: 'success' };
}

async function listAccounts(ctx: MessagingContext, id: string): Promise<PickerOption[]> {
  const accounts = await listBusinessAccounts(ctx, { id });
  return accounts.map((account) => ({
    value: account.id,
    label: account.name,
    detail: [account.business_name, account.relation === 'client' ? 'client account' : null, account.id]
      .filter(Boolean)
      .join(' · '),
  }));
}

async function listPhones(
  ctx: MessagingContext,
  id: string,
  businessAccountId: string | undefined,
): Promise<PickerOption[]> {
  const phones = await listPhoneNumbers(ctx, { id, businessAccountId });
  return phones.map((phone) => ({
    value: phone.id,
    label: phone.verified_name || phone.display_phone_number,
    detail: [
      phone.display_phone_number,
      describeLimit({ tier: phone.messaging_limit_tier, portfolioTier: phone.portfolio_messaging_limit }),
    ]
      .filter(Boolean)
      .join(' · '),
    badge: { text: qualityWords(phone.quality_rating), tone: readQuality(phone.quality_rating).tone },
  }));
}

async function listTemplates(
  ctx: MessagingContext,
  id: string,
  businessAccountId: string | undefined,
): Promise<PickerOption[]> {
  const filter = { id, businessAccountId, status: 'APPROVED', limit: MAX_TEMPLATES };
  const templates = await listMessageTemplates(ctx, filter);
  return templates.map(({ name, language, category, components, parameter_format: format }) => ({
    value: name,
    label: name,
    detail: category.toLowerCase(),
    template: { name, language, components, ...(format === null ? {} : { parameterFormat: format }) },
  }));
}

/** The workflows whose drafts send each message template of a connection, by template name. */
export async function listTemplateUses(
  ctx: Context,
  connectionId: string,
): Promise<Map<string, NamedWorkflow[]>> {
  const uses = new Map<string, NamedWorkflow[]>();
  for (const { id, name, tasks } of await readAllPages((page) => listWorkflows(ctx, page))) {
    const picks = tasks.map(readPicks).filter(({ connection }) => connection?.value === connectionId);
    const names = new Set(picks.flatMap(({ templates }) => templates.map(({ value }) => value)));
    for (const template of names) uses.set(template, [...(uses.get(template) ?? []), { id, name }]);
  }
  return uses;
}

/** The connection's name for users. Null: it was deleted. */
export const findConnectionName = async (ctx: Context, id: string): Promise<string | null> =>
  (await getConnection(ctx, { id }).catch(nullIfMissing))?.name ?? null;
