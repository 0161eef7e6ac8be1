import { and, asc, count, eq, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { AppError, type Problem } from '#lib/core/errors.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { nameOfActor, recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { type KnownSecret, sealNamedSecret, writeSecretVariable } from '#lib/secrets/named-secret.ts';
import { findPlaceholders } from '#lib/secrets/placeholder-format.ts';
import { namedSecrets } from '#lib/secrets/schema.ts';
import { loadSecrets } from '#lib/secrets/stored-secrets.ts';
import { listMisdirectedSecrets, listSecretNames, listUnknownSecrets } from '#lib/tasks/named-secrets.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { type moveToSecretSchema, type Secret, type SecretInput, secretInputSchema } from './schema.ts';

/** The secrets of the workspace by name, without their values, with the workflows that use them. */
export async function listSecrets(ctx: Pick<Context, 'db' | 'workspaceId'>): Promise<Secret[]> {
  const { name, allowedHosts, createdAt, setAt, setBy, workspaceId } = namedSecrets;
  const [rows, uses] = await Promise.all([
    ctx.db
      .select({ name, allowedHosts, createdAt, setAt, setBy })
      .from(namedSecrets)
      .where(eq(workspaceId, ctx.workspaceId))
      .orderBy(asc(name)),
    listSecretUses(ctx.db, ctx.workspaceId),
  ]);
  return rows.map((row) => ({
    name: row.name,
    allowed_hosts: row.allowedHosts,
    created_at: row.createdAt.toISOString(),
    set_at: row.setAt.toISOString(),
    set_by: row.setBy,
    used_by: uses.get(row.name) ?? [],
  }));
}

/** Secrets for the editor's picker, and for checking their use. */
export async function listKnownSecrets(
  { workspaceId }: Pick<Context, 'workspaceId'>,
  db: Context['db'] | Transaction,
): Promise<KnownSecret[]> {
  return db
    .select({ name: namedSecrets.name, allowedHosts: namedSecrets.allowedHosts })
    .from(namedSecrets)
    .where(eq(namedSecrets.workspaceId, workspaceId))
    .orderBy(asc(namedSecrets.name));
}

/** A workflow that uses a secret. */
export interface SecretUser {
  id: string;
  name: string;
}

/**
 * The workflows that use each secret in their draft or published version, sorted by name.
 * @param db the transaction that deletes one, or the database
 */
async function listSecretUses(
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

const MAX_SECRETS = 500;

/**
 * Adds a secret, or replaces its value, which tasks use from their next execution on.
 * @param mode `add`: refuses an existing name; `replace`: refuses a new one; left out: either
 * @throws AppError `conflict`, `not_found`
 */
export async function setSecret(
  ctx: ActorContext,
  { name, value, allowed_hosts: hosts }: SecretInput,
  mode?: 'add' | 'replace',
): Promise<void> {
  const { workspaceId } = ctx;
  await ctx.db.transaction(async (tx) => {
    const valueEncrypted = sealNamedSecret(ctx.secrets, workspaceId, name, value);
    const changes = {
      valueEncrypted,
      // Only together with the value: only users who know a secret may change where it is sent.
      ...(hosts === undefined ? {} : { allowedHosts: [...new Set(hosts)] }),
      setAt: new Date(),
      setBy: await nameOfActor(ctx.actor, tx),
    };
    const [row] = await tx
      .insert(namedSecrets)
      .values({ workspaceId, name, ...changes })
      .onConflictDoUpdate({ target: [namedSecrets.workspaceId, namedSecrets.name], set: changes })
      .returning({ isNew: sql<boolean>`xmax = 0` });
    const isNew = row?.isNew === true;
    if (isNew && mode === 'replace') throw noSuchSecret(name);
    if (!isNew && mode === 'add')
      throw new AppError(
        'conflict',
        `There is a secret ${name} already: replace its value, or enter another name.`,
      );
    if (isNew) await assertFew(tx, workspaceId);
    await recordAudit(ctx, tx, isNew ? 'secret.created' : 'secret.replaced', { id: name, name });
  });
}

const noSuchSecret = (name: string): AppError =>
  new AppError('not_found', `There is no secret ${name} in this workspace.`);

async function assertFew(tx: Transaction, workspaceId: string): Promise<void> {
  const [row] = await tx
    .select({ secrets: count() })
    .from(namedSecrets)
    .where(eq(namedSecrets.workspaceId, workspaceId));
  if ((row?.secrets ?? 0) > MAX_SECRETS)
    throw new AppError('conflict', `A workspace can have ${MAX_SECRETS} secrets: delete some first.`);
}

/**
 * Deletes an unused secret.
 * @throws AppError `not_found`; `conflict`, which names the workflows that use it
 */
export async function deleteSecret(ctx: ActorContext, { name }: { name: string }): Promise<void> {
  const { workspaceId } = ctx;
  await ctx.db.transaction(async (tx) => {
    const [deleted] = await tx
      .delete(namedSecrets)
      .where(and(eq(namedSecrets.workspaceId, workspaceId), eq(namedSecrets.name, name)))
      .returning({ name: namedSecrets.name });
    if (!deleted) throw noSuchSecret(name);
    const users = (await listSecretUses(tx, workspaceId)).get(name) ?? [];
    if (users.length > 0)
      throw new AppError(
        'conflict',
        `The secret ${name} is used by ${describeUsers(users)}: remove it there first.`,
        {
          problems: users.map((user) => ({ path: `workflows.${user.id}`, message: user.name })),
        },
      );
    await recordAudit(ctx, tx, 'secret.deleted', { id: name, name });
  });
}

const LISTS = new Intl.ListFormat('en');

function describeUsers(users: readonly { name: string }[]): string {
  const [shown, others] = [users.slice(0, 3).map(({ name }) => `"${name}"`), users.length - 3];
  if (others > 0) shown.push(others === 1 ? 'another workflow' : `${others} other workflows`);
  return LISTS.format(shown);
}

/**
 * Stores a credential of a task's settings as a named secret: in plain text, or as a placeholder of an encrypted one. The
 * caller changes the settings.
 * @returns the new text for the settings: `{{secret.name}}`
 * @throws AppError `conflict` when the name is taken; `not_found` for a placeholder without a value; `invalid_request`
 */
export async function moveToSecret(
  ctx: ActorContext,
  { name, value }: z.output<typeof moveToSecretSchema>,
): Promise<{ variable: string }> {
  const parsed = secretInputSchema.safeParse({ name, value: await revealed(ctx, value) });
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? 'This value cannot be a secret.';
    throw new AppError('invalid_request', message, { problems: [{ path: 'name', message }] });
  }
  await setSecret(ctx, parsed.data, 'add');
  return { variable: writeSecretVariable(name) };
}

async function revealed({ db, secrets, workspaceId }: ActorContext, value: string): Promise<string> {
  const [placeholder] = findPlaceholders(value);
  if (!placeholder) return value;
  const { id } = placeholder;
  const source = { pool: db.$client, secrets, workspaceId };
  const stored = id === undefined ? undefined : (await loadSecrets(source, [id])).get(id);
  if (stored !== undefined && placeholder.to - placeholder.from === value.length) return String(stored);
  throw new AppError('not_found', 'The stored value is not there any more: enter it again.');
}

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
