import { and, eq, isNull } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { loadDestinations } from './destinations/load-destinations.ts';
import { loadWorkflowAlertSettings } from './load-settings.ts';
import { alertSettings, workflowAlertSettings } from './schema.ts';
import type { AlertSettings, WorkflowAlertSettings } from './settings.ts';

/** Sets the thresholds of the workspace. */
export async function setAlertSettings(ctx: ActorContext, settings: AlertSettings): Promise<AlertSettings> {
  const { workspaceId } = ctx;
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(alertSettings)
      .values({ workspaceId, settings })
      .onConflictDoUpdate({ target: alertSettings.workspaceId, set: { settings } });
    await recordAudit(ctx, tx, 'alert_settings.changed', { id: workspaceId });
  });
  return settings;
}

/** The settings of one workflow. @throws AppError `not_found` */
export async function getWorkflowAlertSettings(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { id }: { id: string },
): Promise<WorkflowAlertSettings> {
  await findWorkflowName(ctx, ctx.db, id);
  return loadWorkflowAlertSettings(ctx.db, id);
}

/**
 * Sets the destinations and kinds of a workflow's alerts.
 * @throws AppError `not_found`; `invalid_request` for unknown destinations
 */
export async function setWorkflowAlertSettings(
  ctx: ActorContext,
  { id, ...settings }: WorkflowAlertSettings & { id: string },
): Promise<WorkflowAlertSettings> {
  await ctx.db.transaction(async (tx) => {
    const name = await findWorkflowName(ctx, tx, id);
    const known = (await loadDestinations(tx, ctx.workspaceId)).map((destination) => destination.id);
    const unknown = settings.own?.destination_ids.find((each) => !known.includes(each));
    if (unknown !== undefined)
      throw new AppError('invalid_request', 'A destination does not exist.', {
        problems: [{ path: 'own.destination_ids', message: `There is no destination ${unknown}.` }],
      });
    await tx
      .insert(workflowAlertSettings)
      .values({ workflowId: id, settings })
      .onConflictDoUpdate({ target: workflowAlertSettings.workflowId, set: { settings } });
    await recordAudit(ctx, tx, 'workflow.alerts_changed', { id, name });
  });
  return settings;
}

async function findWorkflowName(
  { workspaceId }: Pick<Context, 'workspaceId'>,
  db: Pick<Context['db'], 'select'> | Transaction,
  id: string,
): Promise<string> {
  const [row] = isId(id)
    ? await db
        .select({ name: workflows.name })
        .from(workflows)
        .where(and(eq(workflows.id, id), eq(workflows.workspaceId, workspaceId), isNull(workflows.deletedAt)))
    : [];
  if (!row) throw new AppError('not_found', 'This workflow does not exist.');
  return row.name;
}
