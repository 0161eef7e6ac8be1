import { and, asc, eq, inArray, or } from 'drizzle-orm';
import type { DestinationConfig } from '#lib/alerts/alert-types.ts';
import { type AlertKind, DEFAULT_KINDS } from '#lib/alerts/kinds.ts';
import { alertDestinations } from '#lib/alerts/schema.ts';
import type { WorkflowAlertSettings } from '#lib/alerts/settings.ts';
import type { Database } from '#lib/core/db/client.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';

/** A destination of alerts. */
export interface Destination {
  id: string;
  name: string;
  config: DestinationConfig;
  kinds: readonly AlertKind[];
  enabled: boolean;
}

/** The owners of a workspace, unless configured. */
export const defaultDestination = (workspaceId: string): Destination => ({
  id: workspaceId,
  name: 'Owners',
  config: { channel: 'email', owners: true, user_ids: [], addresses: [] },
  kinds: DEFAULT_KINDS,
  enabled: true,
});

/** All destinations of a workspace: the owners first, then in the order in which they were added. */
export async function loadDestinations(
  db: Pick<Database, 'select'> | Transaction,
  workspaceId: string,
): Promise<Destination[]> {
  const { id, name, config, kinds, enabled } = alertDestinations;
  const rows = await db
    .select({ id, name, config, kinds, enabled })
    .from(alertDestinations)
    .where(eq(alertDestinations.workspaceId, workspaceId))
    .orderBy(asc(id));
  const owners = rows.find((row) => row.id === workspaceId) ?? defaultDestination(workspaceId);
  return [owners, ...rows.filter((row) => row.id !== workspaceId)];
}

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

/** The current email addresses of a destination, without former members. Each address once. */
export async function listAddresses(
  db: Pick<Database, 'select'> | Transaction,
  workspaceId: string,
  { owners, user_ids: userIds, addresses }: Extract<DestinationConfig, { channel: 'email' }>,
): Promise<string[]> {
  const isMeant = [
    ...(owners ? [eq(memberships.role, 'owner')] : []),
    ...(userIds.length > 0 ? [inArray(memberships.userId, userIds)] : []),
  ];
  const members =
    isMeant.length === 0
      ? []
      : await db
          .select({ email: users.email })
          .from(memberships)
          .innerJoin(users, eq(users.id, memberships.userId))
          .where(and(eq(memberships.workspaceId, workspaceId), or(...isMeant)))
          .orderBy(users.email);
  return [...new Set([...members.map(({ email }) => email), ...addresses])];
}
