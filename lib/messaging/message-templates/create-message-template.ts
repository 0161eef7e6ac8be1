import { callForScreen } from '#lib/messaging/connections/call-for-screen.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { chooseAccountId } from '#lib/messaging/connections/list-phone-numbers.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import { AppError } from '#lib/core/errors.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { createTemplate } from '#lib/messaging/platform/templates.ts';
import type { CreatedTemplate, NewMessageTemplate } from './schema.ts';
import { validateTemplate } from './schema/validate-template.ts';

/** Checks a message template and hands it in for review. @throws AppError `invalid_request` with every problem, and others */
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
  await ctx.db.transaction((tx) => recordAudit(ctx, tx, 'message_template.created', target));
  return { ...created, name };
}
