import { asc, eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import type { Transaction } from '#lib/identity/context.ts';
import type { DestinationConfig } from '../alert-types.ts';
import { type AlertKind, DEFAULT_KINDS } from '../kinds.ts';
import { alertDestinations } from '../schema.ts';

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
