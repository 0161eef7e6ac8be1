// Every stored graph passes through here, so that drafts and versions, and everything derived from them, contain no secrets.
import { and, eq, inArray, sql } from 'drizzle-orm';
import { settingSecrets } from '#lib/secrets/schema.ts';
import { listSecretIds } from '#lib/secrets/stored-secrets.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { replaceSettingSecrets } from '#lib/tasks/setting-secrets.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import {
  findPlaceholders,
  mapStrings,
  withoutSecretIds,
  writePlaceholder,
} from '#lib/secrets/placeholder-format.ts';
import { sealSecret, secretIdOf, type SecretValue } from '#lib/secrets/setting-secret.ts';

/** Increased when the rules find more secrets: graphs from earlier rules are processed again when the product starts. */
export const SEALING_RULES = 2;

/**
 * Encrypts and stores the literal secrets of a graph, and replaces them by placeholders. Its placeholders stay when they
 * refer to a secret of this workspace; others lose their ids, and the value has to be entered again.
 */
export async function sealGraph<Graph extends Pick<WorkflowGraph, 'tasks'>>(
  ctx: Pick<Context, 'workspaceId' | 'secrets'>,
  tx: Transaction,
  graph: Graph,
): Promise<Graph> {
  const found = new Map<string, SecretValue>();
  const keep = (value: SecretValue): string => {
    const id = secretIdOf(ctx.secrets, ctx.workspaceId, value);
    found.set(id, value);
    return writePlaceholder(id);
  };
  const sealed = changeSettings(graph, ({ type, settings }) => {
    const schema = findTaskDefinition(type)?.settings;
    return schema ? replaceSettingSecrets(schema, settings, keep) : settings;
  });
  await insertSecrets(ctx, tx, found);
  const known = await touchSecrets(ctx, tx, listSecretIds(sealed));
  return changeSettings(sealed, ({ settings }) =>
    mapStrings(settings, (text) => (refersToOthers(text, known) ? withoutUnknown(text, known) : text)),
  );
}

/** A graph for files: with placeholders that refer to nothing. */
export const withoutSecrets = <Graph extends Pick<WorkflowGraph, 'tasks'>>(graph: Graph): Graph =>
  changeSettings(graph, ({ settings }) => mapStrings(settings, withoutSecretIds));

function changeSettings<Graph extends Pick<WorkflowGraph, 'tasks'>>(
  graph: Graph,
  change: (task: WorkflowGraph['tasks'][number]) => Record<string, unknown>,
): Graph {
  const tasks = graph.tasks.map((task) => {
    const settings = change(task);
    return settings === task.settings ? task : { ...task, settings };
  });
  return tasks.every((task, index) => task === graph.tasks[index]) ? graph : { ...graph, tasks };
}

async function insertSecrets(
  { workspaceId, secrets }: Pick<Context, 'workspaceId' | 'secrets'>,
  tx: Transaction,
  found: ReadonlyMap<string, SecretValue>,
): Promise<void> {
  if (found.size === 0) return;
  // In one order, so that two saves cannot deadlock.
  const rows = [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, value]) => ({
      workspaceId,
      id,
      valueEncrypted: sealSecret(secrets, workspaceId, id, value),
    }));
  await tx.insert(settingSecrets).values(rows).onConflictDoNothing();
}

/** The ids that exist in the workspace. They are not pruned during the transaction. */
async function touchSecrets(
  { workspaceId }: Pick<Context, 'workspaceId'>,
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const ofWorkspace = and(eq(settingSecrets.workspaceId, workspaceId), inArray(settingSecrets.id, [...ids]));
  await tx
    .select({ id: settingSecrets.id })
    .from(settingSecrets)
    .where(ofWorkspace)
    .orderBy(settingSecrets.id)
    .for('update');
  const rows = await tx
    .update(settingSecrets)
    .set({ usedAt: sql`now()` })
    .where(ofWorkspace)
    .returning({ id: settingSecrets.id });
  return new Set(rows.map(({ id }) => id));
}

const refersToOthers = (text: string, known: ReadonlySet<string>): boolean =>
  findPlaceholders(text).some(({ id }) => id !== undefined && !known.has(id));

const withoutUnknown = (text: string, known: ReadonlySet<string>): string =>
  findPlaceholders(text).reduceRight((changed, { from, to, id }) => {
    if (id === undefined || known.has(id)) return changed;
    return changed.slice(0, from) + withoutSecretIds(changed.slice(from, to)) + changed.slice(to);
  }, text);
