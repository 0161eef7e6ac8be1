import { sql } from 'drizzle-orm';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import { listSecretNames } from '#lib/tasks/named-secrets.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';

/** A workflow that uses a secret. */
export interface SecretUser {
  id: string;
  name: string;
}

/**
 * The workflows that use each secret in their draft or published version, sorted by name.
 * @param db the transaction that deletes one, or the database
 */
export async function listSecretUses(
  db: Context['db'] | Transaction,
  workspaceId: string,
): Promise<Map<string, SecretUser[]>> {
  // Only graphs that can refer to one are parsed.
  const { rows } = await db.execute<{ id: string; name: string; graph: WorkflowGraph }>(sql`
    select w.id, w.name, g.graph
    from workflows w
    left join workflow_versions v on v.workflow_id = w.id and v.version = w.published_version
    cross join lateral (values (w.draft), (v.graph)) as g(graph)
    where w.workspace_id = ${workspaceId} and w.deleted_at is null and g.graph::text like '%secret%'
    order by lower(w.name), w.id`);
  const uses = new Map<string, SecretUser[]>();
  for (const { id, name, graph } of rows)
    for (const secret of secretsOf(graph)) {
      const users = uses.get(secret) ?? [];
      uses.set(secret, users);
      if (users.at(-1)?.id !== id) users.push({ id, name });
    }
  return uses;
}

const secretsOf = ({ tasks }: WorkflowGraph): string[] =>
  tasks.flatMap(({ type, settings }) => {
    const definition = findTaskDefinition(type);
    return definition ? listSecretNames(definition, settings) : [];
  });
