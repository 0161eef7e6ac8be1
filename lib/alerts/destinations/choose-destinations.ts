import type { AlertKind } from '../kinds.ts';
import type { WorkflowAlertSettings } from '../settings.ts';
import type { Destination } from './load-destinations.ts';

/** What an alert is about, as far as it decides who is told. */
export interface AlertSubject {
  kind: AlertKind;
  /** Null: it is about no workflow. */
  workflowId: string | null;
  own: WorkflowAlertSettings['own'];
}

/**
 * Who is told. An alert about a workflow that is itself started by alerts starts none, so that no failure of one can call
 * itself, or go round through others.
 */
export function chooseDestinations(
  destinations: readonly Destination[],
  { kind, workflowId, own }: AlertSubject,
): Destination[] {
  const isStartedByAlerts = destinations.some(
    ({ config }) => config.channel === 'workflow' && config.workflow_id === workflowId,
  );
  return destinations.filter(({ id, config, kinds, enabled }) => {
    if (!enabled || (isStartedByAlerts && config.channel === 'workflow')) return false;
    if (own === null) return kinds.includes(kind);
    return own.kinds.includes(kind) && own.destination_ids.includes(id);
  });
}
