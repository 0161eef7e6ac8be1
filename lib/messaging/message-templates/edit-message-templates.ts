import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { Context } from '#lib/identity/context.ts';
import { callForScreen } from '#lib/messaging/connections/call-for-screen.ts';
import { loadConnectionRow, recordUse } from '#lib/messaging/connections/connection-rows.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { chooseAccountId } from '#lib/messaging/connections/list-accounts.ts';
import { uploadSampleFile } from '#lib/messaging/platform/media.ts';
import { createTemplate, deleteTemplate, editTemplate } from '#lib/messaging/platform/templates.ts';
import { requestedCategories } from '#lib/messaging/schema/messaging.ts';
import { type IncomingFile, receiveFile } from '#lib/messaging/sending/upload-media.ts';
import type { CreatedTemplate, NewMessageTemplate } from './schema.ts';
import { SAMPLE_MIME_TYPES } from './schema/sample-formats.ts';
import { validateComponents, validateTemplate } from './schema/validate-template.ts';

/** Checks a message template and submits it for review. @throws AppError `invalid_request` with every problem, and others */
export async function createMessageTemplate(
  ctx: MessagingActorContext,
  { id, ...input }: NewMessageTemplate & { id: string },
): Promise<CreatedTemplate> {
  const problems = validateTemplate(input);
  if (problems.length > 0)
    throw new AppError('invalid_request', 'Fix the problems of the message template first.', { problems });
  const accountId = await chooseAccountId(ctx, id, input.business_account_id);
  const { name, language, category } = input;
  const { parameter_format: parameterFormat } = input;
  const template = { name, language, category, components: input.components as JsonValue, parameterFormat };
  const created = await callForScreen(ctx, id, undefined, (access) =>
    createTemplate(access, accountId, template),
  );
  const target = { id: created.id, name };
  await ctx.db.transaction(async (tx) => {
    const { workspaceId } = ctx;
    await keepRequestedCategory({ db: tx, workspaceId }, { templateId: created.id, category });
    await recordAudit(ctx, tx, 'message_template.created', target);
  });
  return { ...created, name };
}

/**
 * Replaces the content of a message template, which is reviewed again. Name and language stay.
 * @throws AppError `invalid_request` with every problem, and refusals of the platform
 */
export async function updateMessageTemplate(
  ctx: MessagingActorContext,
  {
    id,
    templateId,
    ...input
  }: Pick<NewMessageTemplate, 'name' | 'components' | 'parameter_format'> & {
    id: string;
    templateId: string;
  },
): Promise<void> {
  const problems = validateComponents(input.components, input.parameter_format);
  if (problems.length > 0)
    throw new AppError('invalid_request', 'Fix the problems of the message template first.', { problems });
  const components = input.components as JsonValue;
  await callForScreen(ctx, id, undefined, (access) => editTemplate(access, templateId, components));
  const target = { id: templateId, name: input.name };
  await ctx.db.transaction((tx) => recordAudit(ctx, tx, 'message_template.updated', target));
}

/** Deletes a message template in one language; workflows that send it fail from then on. @throws AppError */
export async function deleteMessageTemplate(
  ctx: MessagingActorContext,
  { id, templateId, name }: { id: string; templateId: string; name: string },
): Promise<void> {
  const accountId = await chooseAccountId(ctx, id, undefined);
  await callForScreen(ctx, id, undefined, (access) =>
    deleteTemplate(access, accountId, { id: templateId, name }),
  );
  await ctx.db.transaction(async (tx) => {
    await tx
      .delete(requestedCategories)
      .where(
        and(
          eq(requestedCategories.workspaceId, ctx.workspaceId),
          eq(requestedCategories.templateId, templateId),
        ),
      );
    await recordAudit(ctx, tx, 'message_template.deleted', { id: templateId, name });
  });
}

/** Stores the category that was requested for a newly created template. */
export async function keepRequestedCategory(
  { db, workspaceId }: Pick<Context, 'workspaceId'> & { db: Pick<Context['db'], 'insert'> },
  { templateId, category }: { templateId: string; category: string },
): Promise<void> {
  await db.insert(requestedCategories).values({ workspaceId, templateId, category }).onConflictDoNothing();
}

/**
 * Uploads a sample file for the header of a message template.
 * @returns the handle for `example.header_handle`
 * @throws AppError `unsupported_media_type`, `body_too_large`, `not_found`, `upstream_failed`
 */
export async function uploadSample(
  ctx: MessagingActorContext,
  input: IncomingFile & { connectionId: string },
): Promise<{ handle: string }> {
  const { connectionId, fileName: name } = input;
  return receiveFile(input, async ({ mimeType, content }) => {
    if (!SAMPLE_MIME_TYPES.includes(mimeType))
      throw new AppError('unsupported_media_type', 'A sample file must be jpg, jpeg, png, mp4 or pdf.');
    await loadConnectionRow(ctx, connectionId);
    const handle = await callForScreen(ctx, connectionId, 'The file was not uploaded', (access) =>
      uploadSampleFile(access, { name, mimeType, content }),
    );
    await ctx.db.transaction((tx) => recordUse(ctx, tx, connectionId, 'connection.media_uploaded'));
    return { handle };
  });
}
