import { LRUCache } from 'lru-cache';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { openSecret, type SecretValue } from './setting-secret.ts';

const SECRETS = 'select id, value_encrypted from setting_secrets where workspace_id = $1 and id = any($2)';
/** Cached forever, because a secret's value never changes. */
const known = new LRUCache<string, { value: SecretValue }>({ max: 5000 });

/** Where secrets are read from. */
export interface SecretSource {
  pool: Pool;
  secrets: SecretBox;
  workspaceId: string;
}

/**
 * Secrets of a workspace by their ids; missing ones are left out.
 * @throws Error when one cannot be decrypted
 */
export async function loadSecrets(
  { pool, secrets, workspaceId }: SecretSource,
  ids: readonly string[],
): Promise<Map<string, SecretValue>> {
  const values = new Map<string, SecretValue>();
  for (const id of ids) {
    const kept = known.get(`${workspaceId}:${id}`);
    if (kept) values.set(id, kept.value);
  }
  const missing = ids.filter((id) => !values.has(id));
  if (missing.length === 0) return values;
  const { rows } = await pool.query<{ id: string; value_encrypted: string }>(SECRETS, [workspaceId, missing]);
  for (const { id, value_encrypted } of rows) {
    const value = openSecret(secrets, workspaceId, id, value_encrypted);
    known.set(`${workspaceId}:${id}`, { value });
    values.set(id, value);
  }
  return values;
}
