import { eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import type { Transaction } from '#lib/identity/context.ts';
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
