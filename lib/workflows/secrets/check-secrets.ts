import type { Problem } from '#lib/core/errors.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import type { KnownSecret } from '#lib/secrets/named-secret.ts';
import { listMisdirectedSecrets, listUnknownSecrets } from '#lib/tasks/named-secrets.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { listKnownSecrets } from './list-secrets.ts';

/**
 * Secrets that a workflow may not send to their destination, or that do not exist in the workspace, by path, as problems of
 * `checkGraph`.
 */
export async function checkSecrets(
  { workspaceId }: Pick<Context, 'workspaceId'>,
  tx: Transaction,
  { tasks }: Pick<WorkflowGraph, 'tasks'>,
): Promise<Problem[]> {
  const find = (known: ReadonlyMap<string, KnownSecret>): Problem[] =>
    tasks.flatMap(({ type, settings }, index) => {
      const definition = findTaskDefinition(type);
      if (!definition) return [];
      const problems = [listUnknownSecrets, listMisdirectedSecrets].flatMap((list) =>
        list(definition, settings, known),
      );
      return problems.map(({ path, message }) => ({ path: `tasks[${index}].${path}`, message }));
    });
  if (find(new Map()).length === 0) return [];
  const known = await listKnownSecrets({ workspaceId }, tx);
  return find(new Map(known.map((secret) => [secret.name, secret])));
}
