import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '#lib/identity/context.ts';
import { alertStates } from '../schema.ts';
import type { FailureState } from './weigh-failures.ts';

export interface FailureMatter {
  workspaceId: string;
  workflowId: string;
}

const MATTER = 'run_failed:';
const matterOf = (workflowId: string): string => `${MATTER}${workflowId}`;

/** Reads the state of what alerts are about, which is made where there is none, and locks it until the transaction ends. */
export async function lockAlertState(
  tx: Transaction,
  workspaceId: string,
  matter: string,
): Promise<typeof alertStates.$inferSelect | undefined> {
  const [row] = await tx
    .insert(alertStates)
    .values({ workspaceId, matter })
    .onConflictDoUpdate({
      target: [alertStates.workspaceId, alertStates.matter],
      set: { updatedAt: sql`now()` },
    })
    .returning();
  return row;
}

/** Reads the state of a workflow's failures and locks it until the transaction ends. */
export async function lockFailureState(
  tx: Transaction,
  { workspaceId, workflowId }: FailureMatter,
): Promise<{ state: FailureState; waitingRunId: string | null }> {
  const row = await lockAlertState(tx, workspaceId, matterOf(workflowId));
  return {
    state: {
      reportedAtMs: row?.toldAt?.getTime() ?? null,
      waitingCount: row?.waitingCount ?? 0,
      waitingSinceMs: row?.waitingSince?.getTime() ?? null,
      digestAtMs: row?.digestAt?.getTime() ?? null,
    },
    waitingRunId: row?.waitingRunId ?? null,
  };
}

/** @param waitingRunId the newest of the runs that wait for the digest */
export async function saveFailureState(
  tx: Transaction,
  { workspaceId, workflowId }: FailureMatter,
  { reportedAtMs, waitingCount, waitingSinceMs, digestAtMs }: FailureState,
  waitingRunId: string | null,
): Promise<void> {
  const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
  await tx
    .update(alertStates)
    .set({
      toldAt: toDate(reportedAtMs),
      waitingCount,
      waitingSince: toDate(waitingSinceMs),
      waitingRunId: waitingCount === 0 ? null : waitingRunId,
      digestAt: toDate(digestAtMs),
    })
    .where(and(eq(alertStates.workspaceId, workspaceId), eq(alertStates.matter, matterOf(workflowId))));
}

/** Workflows whose digest is due, in the order in which all transactions lock their states. */
export async function listDueDigests(tx: Transaction, now: Date, limit: number): Promise<FailureMatter[]> {
  const { rows } = await tx.execute<{ workspace_id: string; matter: string }>(sql`
    select workspace_id, matter from alert_states where digest_at is not null and digest_at <= ${now}
    order by digest_at limit ${limit}`);
  return rows
    .map(({ workspace_id, matter }) => ({
      workspaceId: workspace_id,
      workflowId: matter.slice(MATTER.length),
    }))
    .toSorted((a, b) => (a.workflowId < b.workflowId ? -1 : 1));
}
