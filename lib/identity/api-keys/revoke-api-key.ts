import { and, eq, isNull } from 'drizzle-orm';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';

/** Ends a key at once. @throws AppError `not_found`, also for one that was revoked before. */
export async function revokeApiKey(
  ctx: ActorContext,
  { id }: { id: string },
): Promise<{ id: string; name: string }> {
  return ctx.db.transaction(async (tx) => {
    const [revoked] = isId(id)
      ? await tx
          .update(apiKeys)
          .set({ revokedAt: new Date() })
          .where(and(eq(apiKeys.id, id), eq(apiKeys.workspaceId, ctx.workspaceId), isNull(apiKeys.revokedAt)))
          .returning({ id: apiKeys.id, name: apiKeys.name })
      : [];
    if (!revoked) throw new AppError('not_found', 'This API key does not exist.');
    await recordAudit(ctx, tx, 'api_key.revoked', revoked);
    return revoked;
  });
}
