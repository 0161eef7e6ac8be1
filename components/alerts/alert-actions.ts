import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { DestinationInput } from '#lib/alerts/destinations/schema.ts';
import type { AlertSettings, WorkflowAlertSettings } from '#lib/alerts/settings.ts';

/** The server actions of the alerts' pages. */
export interface DestinationActions {
  add: (input: DestinationInput) => Promise<ActionResult<{ id: string; secret: string | null }>>;
  change: (input: DestinationInput & { id: string }) => Promise<ActionResult<void>>;
  remove: (input: { id: string }) => Promise<ActionResult<void>>;
  sendTest: (input: { id: string }) => Promise<ActionResult<void>>;
}
export type SaveThresholds = (input: AlertSettings) => Promise<ActionResult<AlertSettings>>;
export type SaveWorkflowAlerts = (
  input: WorkflowAlertSettings & { id: string },
) => Promise<ActionResult<WorkflowAlertSettings>>;
export type RetryDelivery = (input: { id: string }) => Promise<ActionResult<void>>;
