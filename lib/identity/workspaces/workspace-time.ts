import { eq } from 'drizzle-orm';
import { isZone } from '#lib/core/time/zones.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { workspaceTimes } from '#lib/identity/schema/workspaces.ts';
import { DEFAULT_TIME, type WorkspaceTime } from '#lib/identity/schema/time-types.ts';

/** The workspace's zone, calendars and quiet hours. */
export async function getWorkspaceTime({
  db,
  workspaceId,
}: {
  db: Pick<Context['db'], 'select'>;
  workspaceId: string;
}): Promise<WorkspaceTime> {
  const [row] = await db
    .select({
      zone: workspaceTimes.zone,
      hours: workspaceTimes.hours,
      holidays: workspaceTimes.holidays,
      quiet_hours: workspaceTimes.quietHours,
    })
    .from(workspaceTimes)
    .where(eq(workspaceTimes.workspaceId, workspaceId));
  return row ?? DEFAULT_TIME;
}

/**
 * Stores them, and who did. Use `changeWorkspaceTime` (lib/workflows): workflows may use calendars, messages wait for the end of quiet
 * hours, and schedules follow the zone.
 */
export async function storeWorkspaceTime(
  ctx: Pick<ActorContext, 'workspaceId' | 'actor'>,
  tx: Pick<Transaction, 'insert' | 'select'>,
  { zone, hours, holidays, quiet_hours: quietHours }: WorkspaceTime,
): Promise<void> {
  const { workspaceId } = ctx;
  const values = { zone, hours, holidays, quietHours };
  await tx
    .insert(workspaceTimes)
    .values({ workspaceId, ...values })
    .onConflictDoUpdate({ target: workspaceTimes.workspaceId, set: values });
  await recordAudit(ctx, tx, 'workspace.time_changed', { id: workspaceId, name: zone });
}

/** A new workspace is in the zone of the browser that created it; one that is not known is left out. */
export async function startInZone(
  tx: Pick<Transaction, 'insert'>,
  { workspaceId, zone }: { workspaceId: string; zone: string },
): Promise<void> {
  if (!isZone(zone)) return;
  await tx
    .insert(workspaceTimes)
    .values({ workspaceId, zone, hours: {}, holidays: {}, quietHours: null })
    .onConflictDoNothing();
}
