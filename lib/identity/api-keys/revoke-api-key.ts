import { and, eq, inArray, isNull } from 'drizzle-orm';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';

interface Revoked {
  id: string;
  name: string;
}

/**
 * Revokes a key at once, and all keys that were created with it: a leaked key may have created them.
 * @throws AppError `not_found`, also for one that was revoked before
 */
export async function revokeApiKey(ctx: ActorContext, { id }: { id: string }): Promise<Revoked> {
  return ctx.db.transaction(async (tx) => {
    const [revoked] = isId(id) ? await revoke(ctx, tx, eq(apiKeys.id, id)) : [];
    if (!revoked) throw new AppError('not_found', 'This API key does not exist.');
    // One statement per generation: each waits for keys that its generation is just creating (createApiKey), and the next one
    // sees them.
    let parents = [revoked];
    while (parents.length > 0) {
      const ids = parents.map((parent) => parent.id);
      parents = await revoke(ctx, tx, inArray(apiKeys.madeWithKeyId, ids));
    }
    return revoked;
  });
}

async function revoke(ctx: ActorContext, tx: Transaction, which: ReturnType<typeof eq>): Promise<Revoked[]> {
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(which, eq(apiKeys.workspaceId, ctx.workspaceId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id, name: apiKeys.name });
  for (const key of revoked) await recordAudit(ctx, tx, 'api_key.revoked', key);
  return revoked;
}
