// When published workflows start on their own (docs/engine.md, "Schedules"). Lock a workflow's row before its schedule, and its
// schedule before its gate: workers that start it lock them in this order.
import { eq, sql, type SQL } from 'drizzle-orm';
import { databaseOn, type Queryable } from '#lib/core/db/client.ts';
import { nextTick } from '#lib/core/time/cron.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { workspaceTimes } from '#lib/identity/schema/workspaces.ts';
import { DEFAULT_TIME } from '#lib/identity/schema/time-types.ts';
import type { RecurringTask } from '../queue/recurring.ts';
import type { ScheduleStart } from '../schedule-start.ts';
import { schedules } from '../schema/schedules.ts';
import { workflows } from '../schema/workflows.ts';

/** The recurring job that starts what is due, which sleeps until then. */
const SCHEDULES_JOB: RecurringTask = 'schedules';

/** Wakes it for a time that a transaction set. Where a worker just executes it, it looks again within seconds. */
const wakeFor = (at: Date): SQL => sql`
update graphile_worker._private_jobs set run_at = ${at.toISOString()}::timestamptz
where key = ${SCHEDULES_JOB} and locked_at is null and run_at > ${at.toISOString()}::timestamptz`;

/** SQL of the zone of a schedule `s` with `t`, the workspace's time. */
export const ZONE = `coalesce(s.zone, t.zone, '${DEFAULT_TIME.zone}')`;

/**
 * Replaces the schedule of a workflow in the transaction that publishes it. The next time of one that stays as it is stays, too: it may
 * be due already. @param start null: it does not start on its own
 */
export async function replaceSchedule(
  tx: Transaction,
  {
    workflowId,
    workspaceId,
    start,
  }: { workflowId: string; workspaceId: string; start: ScheduleStart | null },
): Promise<void> {
  const ofWorkflow = eq(schedules.workflowId, workflowId);
  if (!start) {
    await tx.delete(schedules).where(ofWorkflow);
    return;
  }
  const { cron, zone, whenMissed } = start;
  const isSame = sql`${schedules.cron} = ${cron} and ${schedules.zone} is not distinct from ${zone}`;
  await tx
    .insert(schedules)
    .values({ workflowId, workspaceId, cron, zone, whenMissed })
    .onConflictDoUpdate({
      target: schedules.workflowId,
      set: { cron, zone, whenMissed, nextAt: sql`case when ${isSame} then ${schedules.nextAt} end` },
    });
  await alignSchedule(tx, workflowId);
}

/**
 * Sets when a workflow starts next after its state changed, in the same transaction. Times that passed while it was paused or deleted
 * are not missed: it continues with the next one.
 */
export async function alignSchedule(tx: Transaction, workflowId: string): Promise<void> {
  const [row] = await tx
    .select({
      cron: schedules.cron,
      nextAt: schedules.nextAt,
      zone: sql<string>`coalesce(${schedules.zone}, ${workspaceTimes.zone}, ${DEFAULT_TIME.zone})`,
      starts: sql<boolean>`${workflows.deletedAt} is null and ${workflows.publishedVersion} is not null
        and (${workflows.active} or ${workflows.holdsRuns})`,
      now: sql<Date>`now()`.mapWith(schedules.nextAt),
    })
    .from(schedules)
    .innerJoin(workflows, eq(workflows.id, schedules.workflowId))
    .leftJoin(workspaceTimes, eq(workspaceTimes.workspaceId, schedules.workspaceId))
    .where(eq(schedules.workflowId, workflowId))
    .for('update', { of: schedules });
  if (!row || row.starts === (row.nextAt !== null)) return;
  const nextAt = row.starts ? (nextTick(row.cron, row.zone, row.now) ?? null) : null;
  await tx.update(schedules).set({ nextAt }).where(eq(schedules.workflowId, workflowId));
  if (nextAt) await tx.execute(wakeFor(nextAt));
}

const FOLLOWING = `
select s.workflow_id, s.cron, ${ZONE} as zone, now() as now from schedules s
left join workspace_times t on t.workspace_id = s.workspace_id
where s.workspace_id = $1 and s.zone is null and s.next_at > now()
order by s.workflow_id for update of s`;

const SET_NEXT = `
update schedules s set next_at = n.next_at from unnest($1::uuid[], $2::timestamptz[]) as n(workflow_id, next_at)
where s.workflow_id = n.workflow_id`;

interface FollowingRow {
  workflow_id: string;
  cron: string;
  zone: string;
  now: Date;
}

/**
 * Recomputes the next times of a workspace's schedules that follow its zone. What is due already still starts.
 * @param client of the transaction that changes the zone
 */
export async function followZone(client: Queryable, workspaceId: string): Promise<void> {
  const { rows } = await client.query<FollowingRow>(FOLLOWING, [workspaceId]);
  if (rows.length === 0) return;
  const next = rows.map(({ cron, zone, now }) => nextTick(cron, zone, now) ?? null);
  await setNext(
    client,
    rows.map(({ workflow_id: id }, index) => ({ id, nextAt: next[index] ?? null })),
  );
  const earliest = next.filter((at) => at !== null).toSorted((a, b) => a.getTime() - b.getTime())[0];
  if (earliest) await databaseOn(client).execute(wakeFor(earliest));
}

/** @param rows schedules that are locked */
export async function setNext(
  client: Queryable,
  rows: readonly { id: string; nextAt: Date | null }[],
): Promise<void> {
  await client.query({
    name: 'set_next_ticks',
    text: SET_NEXT,
    values: [rows.map(({ id }) => id), rows.map(({ nextAt }) => nextAt)],
  });
}
