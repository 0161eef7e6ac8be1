import { callForScreen } from '#lib/messaging/connections/call-for-screen.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import { AppError } from '#lib/core/errors.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { editTemplate } from '#lib/messaging/platform/templates.ts';
import type { NewMessageTemplate } from './schema.ts';
import { validateComponents } from './schema/validate-template.ts';

/**
 * Replaces the content of a message template, which is reviewed again. Name and language stay.
 * @throws AppError `invalid_request` with every problem, and what the platform refuses
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
