import type { SecretSource } from './load-secrets.ts';
import { openNamedSecret } from './named-secret.ts';

const SECRETS = 'select name, value_encrypted from named_secrets where workspace_id = $1 and name = any($2)';

/**
 * The values of a workspace's secrets by their names; those that are not there are left out. They are read each time, so
 * that a new value is used from the next execution on. @throws Error when one cannot be opened
 */
export async function loadNamedSecrets(
  { pool, secrets, workspaceId }: SecretSource,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const { rows } = await pool.query<{ name: string; value_encrypted: string }>(SECRETS, [workspaceId, names]);
  return new Map(
    rows.map(({ name, value_encrypted }) => [
      name,
      openNamedSecret(secrets, workspaceId, name, value_encrypted),
    ]),
  );
}
