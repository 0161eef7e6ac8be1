import type { Problem } from '#lib/core/errors.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import { listUnknownSecrets } from '#lib/tasks/named-secrets.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { listSecretNames } from './list-secrets.ts';

/** Secrets that a workflow names and the workspace does not have, by path, as `checkGraph` gives problems. */
export async function checkSecrets(
  { workspaceId }: Pick<Context, 'workspaceId'>,
  tx: Transaction,
  { tasks }: Pick<WorkflowGraph, 'tasks'>,
): Promise<Problem[]> {
  const find = (known: ReadonlySet<string>): Problem[] =>
    tasks.flatMap(({ type, settings }, index) => {
      const definition = findTaskDefinition(type);
      const problems = definition ? listUnknownSecrets(definition, settings, known) : [];
      return problems.map(({ path, message }) => ({ path: `tasks[${index}].${path}`, message }));
    });
  return find(new Set()).length === 0 ? [] : find(new Set(await listSecretNames({ workspaceId }, tx)));
}
