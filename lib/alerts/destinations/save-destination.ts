import { and, eq, isNull } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { isId, newId } from '#lib/core/ids.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { alertDestinations } from '../schema.ts';
import { defaultDestination } from './load-destinations.ts';
import { type DestinationInput, noSuchDestination } from './schema.ts';
import { newWebhookSecret, webhookSecretBinding } from './webhook-secret.ts';

const MAX_DESTINATIONS = 50;

/**
 * Adds a destination.
 * @returns its id and, for a webhook, its secret, which is never shown again
 * @throws AppError `conflict` when there are too many; `invalid_request` for an unknown workflow
 */
export async function createDestination(
  ctx: ActorContext,
  { name, config, kinds, enabled }: DestinationInput,
): Promise<{ id: string; secret: string | null }> {
  const id = newId();
  const secret = config.channel === 'webhook' ? newWebhookSecret() : null;
  const { workspaceId } = ctx;
  await ctx.db.transaction(async (tx) => {
    const isOurs = eq(alertDestinations.workspaceId, workspaceId);
    if ((await tx.$count(alertDestinations, isOurs)) >= MAX_DESTINATIONS)
      throw new AppError(
        'conflict',
        `A workspace has at most ${MAX_DESTINATIONS} destinations. Delete one first.`,
      );
    await assertWorkflow(ctx, tx, config);
    await tx.insert(alertDestinations).values({
      id,
      workspaceId,
      name,
      config,
      kinds,
      enabled,
      secretEncrypted: secret && ctx.secrets.seal(secret, webhookSecretBinding(workspaceId, id)),
    });
    await recordAudit(ctx, tx, 'alert_destination.created', { id, name });
  });
  return { id, secret };
}

/** @throws AppError `not_found`; `conflict` for another channel; `invalid_request` as above */
export async function updateDestination(
  ctx: ActorContext,
  { id, ...input }: DestinationInput & { id: string },
): Promise<void> {
  const { workspaceId } = ctx;
  await ctx.db.transaction(async (tx) => {
    const channel = await findChannel(ctx, tx, id);
    if (channel !== input.config.channel)
      throw new AppError('conflict', 'A destination keeps its channel: delete it and add another one.');
    await assertWorkflow(ctx, tx, input.config);
    await tx
      .insert(alertDestinations)
      .values({ id, workspaceId, ...input })
      .onConflictDoUpdate({ target: alertDestinations.id, set: { ...input, updatedAt: new Date() } });
    await recordAudit(ctx, tx, 'alert_destination.updated', { id, name: input.name });
  });
}

/** The owners cannot be deleted, only turned off. @throws AppError `not_found`, `conflict` */
export async function deleteDestination(ctx: ActorContext, { id }: { id: string }): Promise<void> {
  const { workspaceId } = ctx;
  if (id === workspaceId)
    throw new AppError('conflict', 'The owners cannot be deleted: switch their alerts off instead.');
  await ctx.db.transaction(async (tx) => {
    const [deleted] = isId(id)
      ? await tx
          .delete(alertDestinations)
          .where(and(eq(alertDestinations.id, id), eq(alertDestinations.workspaceId, workspaceId)))
          .returning({ name: alertDestinations.name })
      : [];
    if (!deleted) throw noSuchDestination();
    await recordAudit(ctx, tx, 'alert_destination.deleted', { id, name: deleted.name });
  });
}

async function findChannel(ctx: ActorContext, tx: Transaction, id: string): Promise<string> {
  const { workspaceId } = ctx;
  if (id === workspaceId) return defaultDestination(workspaceId).config.channel;
  const [row] = isId(id)
    ? await tx
        .select({ config: alertDestinations.config })
        .from(alertDestinations)
        .where(and(eq(alertDestinations.id, id), eq(alertDestinations.workspaceId, workspaceId)))
        .for('update')
    : [];
  if (!row) throw noSuchDestination();
  return row.config.channel;
}

async function assertWorkflow(
  { workspaceId }: ActorContext,
  tx: Transaction,
  config: DestinationInput['config'],
): Promise<void> {
  if (config.channel !== 'workflow') return;
  const [known] = await tx
    .select({ id: workflows.id })
    .from(workflows)
    .where(
      and(
        eq(workflows.id, config.workflow_id),
        eq(workflows.workspaceId, workspaceId),
        isNull(workflows.deletedAt),
      ),
    );
  if (known) return;
  throw new AppError('invalid_request', 'The workspace has no such workflow.', {
    problems: [{ path: 'config.workflow_id', message: 'Select a workflow of this workspace.' }],
  });
}
