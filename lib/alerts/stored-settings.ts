import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { DEFAULT_TIME } from '#lib/identity/schema/time-types.ts';
import { workspaces, workspaceTimes } from '#lib/identity/schema/workspaces.ts';
import { loadDestinations } from './destinations/load-destinations.ts';
import { alertSettings, workflowAlertSettings } from './schema.ts';
import {
  type AlertSettings,
  alertSettingsSchema,
  type WorkflowAlertSettings,
  workflowAlertSettingsSchema,
} from './settings.ts';

type Reader = Pick<Database, 'select'> | Transaction;

/** The thresholds of a workspace, with defaults. */
export async function loadAlertSettings(db: Reader, workspaceId: string): Promise<AlertSettings> {
  const [row] = await db
    .select({ settings: alertSettings.settings })
    .from(alertSettings)
    .where(eq(alertSettings.workspaceId, workspaceId));
  return alertSettingsSchema.parse(row?.settings ?? {});
}

/** The settings of one workflow; empty by default. */
export async function loadWorkflowAlertSettings(
  db: Reader,
  workflowId: string,
): Promise<WorkflowAlertSettings> {
  const [row] = await db
    .select({ settings: workflowAlertSettings.settings })
    .from(workflowAlertSettings)
    .where(eq(workflowAlertSettings.workflowId, workflowId));
  return workflowAlertSettingsSchema.parse(row?.settings ?? {});
}

/** The name of a workspace, for mails and webhooks, empty if it was deleted, and the time zone of their texts. */
export async function findWorkspace(
  tx: Transaction,
  workspaceId: string,
): Promise<{ name: string; zone: string }> {
  const [row] = await tx
    .select({ name: workspaces.name, zone: workspaceTimes.zone })
    .from(workspaces)
    .leftJoin(workspaceTimes, eq(workspaceTimes.workspaceId, workspaces.id))
    .where(eq(workspaces.id, workspaceId));
  return { name: row?.name ?? '', zone: row?.zone ?? DEFAULT_TIME.zone };
}

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
