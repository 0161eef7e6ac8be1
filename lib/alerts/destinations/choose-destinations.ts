import type { AlertKind } from '../kinds.ts';
import type { WorkflowAlertSettings } from '../settings.ts';
import type { Destination } from './load-destinations.ts';

/** The properties of an alert that decide its destinations. */
export interface AlertSubject {
  kind: AlertKind;
  /** Null: no workflow. */
  workflowId: string | null;
  own: WorkflowAlertSettings['own'];
}

/**
 * The destinations of an alert. An alert about a workflow that alerts start does not start workflows, so that failures cannot
 * loop.
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
