import { newId } from '#lib/core/ids.ts';
import type { Transaction } from '#lib/identity/context.ts';
import type { AlertContent } from './alert-types.ts';
import { queueDeliveries } from './queue-deliveries.ts';
import { chooseDestinations } from './destinations/choose-destinations.ts';
import { loadDestinations } from './destinations/load-destinations.ts';
import { findWorkspaceName } from './find-workspace-name.ts';
import type { AlertKind } from './kinds.ts';
import { loadWorkflowAlertSettings } from './load-settings.ts';
import type { AlertRuntime } from './runtime.ts';
import { alerts } from './schema.ts';

export interface NewAlert {
  workspaceId: string;
  kind: AlertKind;
  /** Null: no workflow. */
  workflowId: string | null;
  content: AlertContent;
}

/**
 * Records an alert and queues it for all its destinations. Without any, nothing is recorded.
 * @param tx the transaction that marks the problem as reported, so that it is reported exactly once
 * @returns whether there are any
 */
export async function recordAlert(
  runtime: AlertRuntime,
  tx: Transaction,
  { workspaceId, kind, workflowId, content }: NewAlert,
  now = new Date(),
): Promise<boolean> {
  const own = workflowId === null ? null : (await loadWorkflowAlertSettings(tx, workflowId)).own;
  const told = chooseDestinations(await loadDestinations(tx, workspaceId), { kind, workflowId, own });
  if (told.length === 0) return false;
  const id = newId();
  await tx.insert(alerts).values({ id, workspaceId, kind, workflowId, content });
  const workspaceName = await findWorkspaceName(tx, workspaceId);
  const alert = { id, workspaceId, kind, content };
  await queueDeliveries(runtime, tx, { alert, workspaceName, destinations: told }, now);
  return true;
}
