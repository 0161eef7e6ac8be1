import type { SecretSource } from './load-secrets.ts';
import { type KnownSecret, openNamedSecret } from './named-secret.ts';

const SECRETS =
  'select name, value_encrypted, allowed_hosts from named_secrets where workspace_id = $1 and name = any($2)';

export interface NamedSecret extends KnownSecret {
  value: string;
}

interface Row {
  name: string;
  value_encrypted: string;
  allowed_hosts: string[];
}

/**
 * A workspace's secrets by name; missing ones are left out. They are read each time, so that a new value is used from the
 * next execution on.
 * @throws Error when one cannot be decrypted
 */
export async function loadNamedSecrets(
  { pool, secrets, workspaceId }: SecretSource,
  names: readonly string[],
): Promise<Map<string, NamedSecret>> {
  if (names.length === 0) return new Map();
  const { rows } = await pool.query<Row>(SECRETS, [workspaceId, names]);
  return new Map(
    rows.map(({ name, value_encrypted, allowed_hosts: allowedHosts }) => [
      name,
      { name, allowedHosts, value: openNamedSecret(secrets, workspaceId, name, value_encrypted) },
    ]),
  );
}
