import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { AlertContent } from '../alert-types.ts';
import type { AlertKind } from '../kinds.ts';
import { recordAlert } from '../record-alert.ts';
import type { AlertRuntime } from '../runtime.ts';
import { alertStates } from '../schema.ts';

/** A problem found by a check, or its end. */
export interface Finding {
  workspaceId: string;
  kind: AlertKind;
  /** Id of the connection, workflow or the like, unique in the workspace. */
  about: string;
  /** Null: no workflow. */
  workflowId: string | null;
  /** Identifies the problem: reported once while it stays the same. Null: none (any more). */
  trouble: string | null;
  content: () => AlertContent;
}

/** Minimum time between alerts about a problem that comes and goes. */
const LEAST_PAUSE_MS = 3_600_000;

/**
 * Reports a problem unless it was reported, and records that in the same transaction.
 * @returns whether it is reported now
 */
export function tellOnce(
  runtime: AlertRuntime,
  { workspaceId, kind, about, workflowId, trouble, content }: Finding,
  now = new Date(),
): Promise<boolean> {
  const matter = `${kind}:${about}`;
  return runtime.db.transaction(async (tx) => {
    const isOurs = and(eq(alertStates.workspaceId, workspaceId), eq(alertStates.matter, matter));
    if (trouble === null) {
      await tx
        .update(alertStates)
        .set({ toldOf: null })
        .where(and(isOurs, isNotNull(alertStates.toldOf)));
      return false;
    }
    const [known] = await tx
      .insert(alertStates)
      .values({ workspaceId, matter })
      .onConflictDoUpdate({
        target: [alertStates.workspaceId, alertStates.matter],
        set: { updatedAt: sql`now()` },
      })
      .returning();
    if (known?.toldOf === trouble) return false;
    const isSoonAgain =
      known?.toldOf === null &&
      known.toldAt !== null &&
      now.getTime() < known.toldAt.getTime() + LEAST_PAUSE_MS;
    if (isSoonAgain) return false;
    await tx.update(alertStates).set({ toldOf: trouble, toldAt: now }).where(isOurs);
    return recordAlert(runtime, tx, { workspaceId, kind, workflowId, content: content() }, now);
  });
}
