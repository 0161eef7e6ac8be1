import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import { newId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { hashApiKey, newApiKey, prefixOf } from './key-hash.ts';
import type { ApiKeyInput, NewApiKey } from './schema.ts';

/**
 * Makes a key of the workspace, with the rights of an editor. The key itself is in this answer only: its hash is kept.
 * @param madeWithHash of the key of the environment that asks for it: the new one works for as long as that one does.
 */
export async function createApiKey(
  ctx: ActorContext,
  { name }: ApiKeyInput,
  madeWithHash: Buffer | null = null,
): Promise<NewApiKey> {
  const key = newApiKey();
  const row = { id: newId(), name, prefix: prefixOf(key), createdAt: new Date() };
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(apiKeys)
      .values({ ...row, workspaceId: ctx.workspaceId, keyHash: hashApiKey(key), madeWithHash });
    await recordAudit(ctx, tx, 'api_key.created', { id: row.id, name });
  });
  return {
    id: row.id,
    name,
    prefix: row.prefix,
    created_at: row.createdAt.toISOString(),
    last_used_at: null,
    key,
  };
}
