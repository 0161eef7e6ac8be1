import { callForScreen } from '#lib/messaging/connections/call-for-screen.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { chooseAccountId } from '#lib/messaging/connections/list-phone-numbers.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import { deleteTemplate } from '#lib/messaging/platform/templates.ts';

/** Deletes a message template in one language; workflows that send it fail from then on. @throws AppError */
export async function deleteMessageTemplate(
  ctx: MessagingActorContext,
  { id, templateId, name }: { id: string; templateId: string; name: string },
): Promise<void> {
  const accountId = await chooseAccountId(ctx, id, undefined);
  await callForScreen(ctx, id, undefined, (access) =>
    deleteTemplate(access, accountId, { id: templateId, name }),
  );
  await ctx.db.transaction((tx) =>
    recordAudit(ctx, tx, 'message_template.deleted', { id: templateId, name }),
  );
}
