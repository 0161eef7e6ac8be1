import { LRUCache } from 'lru-cache';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Pool } from '#lib/core/db/client.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { Context } from '#lib/identity/context.ts';
import { type KnownSecret, openNamedSecret } from './named-secret.ts';
import { findPlaceholders, mapStrings } from './placeholder-format.ts';
import { createRedactor, type Redactor } from './redact.ts';
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

type Source = Pick<Context, 'db' | 'secrets' | 'workspaceId'>;

/** The secrets that a graph refers to, by their ids. */
export const loadSecretsOf = (
  { db, secrets, workspaceId }: Source,
  graph: Pick<WorkflowGraph, 'tasks'>,
): Promise<Map<string, SecretValue>> =>
  loadSecrets({ pool: db.$client, secrets, workspaceId }, listSecretIds(graph));

/** Redacts a graph's secrets in the responses that its tasks got. */
export const loadRedactor = async (ctx: Source, graph: Pick<WorkflowGraph, 'tasks'>): Promise<Redactor> =>
  createRedactor(await loadSecretsOf(ctx, graph));

/** The ids of the secrets that a graph's settings refer to. */
export function listSecretIds({ tasks }: Pick<WorkflowGraph, 'tasks'>): string[] {
  const ids = new Set<string>();
  for (const { settings } of tasks)
    mapStrings(settings, (text) => {
      for (const { id } of findPlaceholders(text)) if (id !== undefined) ids.add(id);
      return text;
    });
  return [...ids];
}

const NAMED_SECRETS =
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
  const { rows } = await pool.query<Row>(NAMED_SECRETS, [workspaceId, names]);
  return new Map(
    rows.map(({ name, value_encrypted, allowed_hosts: allowedHosts }) => [
      name,
      { name, allowedHosts, value: openNamedSecret(secrets, workspaceId, name, value_encrypted) },
    ]),
  );
}

/** Open tabs can restore a secret by undo, and a copied task by paste, for this time. */
const KEPT = `interval '30 days'`;

/** Secrets that a draft or a version refers to are in use, however old. */
const TOUCH_USED = `
with graphs as (
  select workspace_id, draft::text as graph from workflows
  union all
  select w.workspace_id, v.graph::text from workflow_versions v join workflows w on w.id = v.workflow_id
), used as (
  select distinct g.workspace_id, found[1] as id
  from graphs g cross join lateral regexp_matches(g.graph, '•{6}\\(([\\w-]{16})\\)', 'g') as found
)
update setting_secrets s set used_at = now() from used u
where u.workspace_id = s.workspace_id and u.id = s.id and s.used_at < now() - ${KEPT}`;

/** Removes secrets that have been unreferenced for a month, such as half-typed ones. */
export async function pruneSecrets(pool: Pool): Promise<void> {
  const { rows } = await pool.query(`select from setting_secrets where used_at < now() - ${KEPT} limit 1`);
  if (rows.length === 0) return;
  await pool.query(TOUCH_USED);
  await pool.query(`delete from setting_secrets where used_at < now() - ${KEPT}`);
}
