import { writeInstant } from '#lib/core/time/zones.ts';
import { asc } from 'drizzle-orm';
import { platformSettingsOf } from '#lib/messaging/platform/settings.ts';
import { connections } from '#lib/messaging/schema/connections.ts';
import { findAnswering } from '#lib/messaging/connections/find-answering.ts';
import { toConnection } from '#lib/messaging/connections/to-connection.ts';
import type { Connection } from '#lib/messaging/connections/schema.ts';
import type { AlertContent } from '../alert-types.ts';
import { loadAlertSettings } from '#lib/alerts/stored-settings.ts';
import type { AlertRuntime } from '../runtime.ts';
import { writeDuration } from '../write-words.ts';
import { recordFindings, type Trouble } from './record-findings.ts';

const DAY_MS = 86_400_000;

/** Reports connections that have expired, or expire within their workspace's days of notice. */
export async function checkConnections(runtime: AlertRuntime, now = new Date()): Promise<void> {
  const platform = platformSettingsOf(runtime.settings);
  const rows = await runtime.db
    .select()
    .from(connections)
    .orderBy(asc(connections.workspaceId), asc(connections.id));
  const days = new Map<string, number>();
  const found: Trouble[] = [];
  for (const row of rows) {
    const { workspaceId } = row;
    if (!days.has(workspaceId))
      days.set(workspaceId, (await loadAlertSettings(runtime.db, workspaceId)).connection_days);
    const ctx = { db: runtime.db, workspaceId, platform };
    const answering = await findAnswering(ctx, [row]);
    const connection = toConnection(ctx, row, answering.has(row.id), now);
    const state = stateOf(connection, days.get(workspaceId) ?? 0, now);
    if (state !== null)
      found.push({
        workspaceId,
        about: row.id,
        workflowId: null,
        trouble: troubleOf(state, connection, row.tokenRevision),
        content: (zone) =>
          describeConnection(connection, row.lastRefreshError, state === 'ended', { now, zone }),
      });
  }
  await recordFindings(runtime, 'connection', found, now);
}

function stateOf({ status, ends_at }: Connection, days: number, now: Date): 'ended' | 'ends_soon' | null {
  if (status === 'needs_reconnecting') return 'ended';
  const leftMs = ends_at === null ? Infinity : Date.parse(ends_at) - now.getTime();
  return leftMs <= days * DAY_MS ? 'ends_soon' : null;
}

/** The expiry of one that refreshes automatically moves with each refresh: it is reported once while it is near. */
function troubleOf(
  state: 'ended' | 'ends_soon',
  { ends_at: endsAt, refreshes_itself: refreshesItself }: Connection,
  tokenRevision: number,
): string {
  if (state === 'ended') return `ended:${tokenRevision}`;
  return refreshesItself ? 'ends_soon' : `ends_soon:${endsAt}`;
}

/** The alert about a connection. */
function describeConnection(
  { id, name, status_reason: reason, ends_at: endsAt }: Connection,
  renewalError: string | null,
  hasEnded: boolean,
  { now, zone }: { now: Date; zone: string },
): AlertContent {
  const ends = endsAt === null ? now : new Date(endsAt);
  const left = writeDuration((ends.getTime() - now.getTime()) / 1000);
  return {
    title: hasEnded
      ? `The connection “${name}” has to be reconnected`
      : `The connection “${name}” expires in ${left}`,
    paragraphs: hasEnded
      ? [
          `Workflows cannot send messages with the connection “${name}” any more.`,
          `Reason: ${reason ?? 'It has expired.'}`,
          'Reconnect it under Connections, then retry the runs that failed since then.',
        ]
      : [
          `The connection “${name}” expires on ${writeInstant(ends, zone)}. From then on workflows cannot send messages with it.`,
          ...(renewalError === null ? [] : [`It could not be renewed: ${renewalError}`]),
          'Reconnect it under Connections before then. Workflows keep using it as it is.',
        ],
    link: { label: 'Open the connection', path: `/connections/${id}` },
    since: now.toISOString(),
  };
}
