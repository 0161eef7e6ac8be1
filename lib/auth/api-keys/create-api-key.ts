import { apiKeys } from '#lib/db/schema/workspaces.ts';
import { newId } from '#lib/ids.ts';
import type { Context } from '#lib/workspaces/context.ts';
import { hashApiKey, newApiKey, prefixOf } from './key-hash.ts';
import type { ApiKeyInput, NewApiKey } from './schema.ts';

/** Makes a key of the workspace. The key itself is in this answer only: its hash is what is kept. */
export async function createApiKey(ctx: Context, { name }: ApiKeyInput): Promise<NewApiKey> {
  const key = newApiKey();
  const row = { id: newId(), name, prefix: prefixOf(key), createdAt: new Date() };
  await ctx.db.insert(apiKeys).values({ ...row, workspaceId: ctx.workspaceId, keyHash: hashApiKey(key) });
  return {
    id: row.id,
    name,
    prefix: row.prefix,
    created_at: row.createdAt.toISOString(),
    last_used_at: null,
    key,
  };
}
