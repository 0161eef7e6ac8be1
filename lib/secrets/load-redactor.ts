import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { Context } from '#lib/identity/context.ts';
import { loadSecrets } from './load-secrets.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { listSecretIds } from './list-secret-ids.ts';
import type { SecretValue } from './setting-secret.ts';

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
