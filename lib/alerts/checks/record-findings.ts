import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { AlertKind } from '#lib/alerts/kinds.ts';
import { lockAlertState } from '#lib/alerts/failures/failure-states.ts';
import { recordAlert, type WriteContent } from '#lib/alerts/record-alert.ts';
import type { AlertRuntime } from '#lib/alerts/runtime.ts';
import { alertStates } from '#lib/alerts/schema.ts';
import { queryRows } from '#lib/core/db/client.ts';

/** A problem found by a check. */
export type Trouble = Omit<Finding, 'kind' | 'trouble'> & { trouble: string };

/**
 * Reports new problems of a kind, and records that all others are over. Known problems cost nothing.
 * @param found all current problems of that kind, in all workspaces
 */
export async function recordFindings(
  runtime: AlertRuntime,
  kind: AlertKind,
  found: readonly Trouble[],
  now = new Date(),
): Promise<void> {
  const told = await loadReported(runtime, kind);
  for (const each of found) {
    const key = keyOf(each);
    if (told.get(key)?.trouble !== each.trouble) await recordOnce(runtime, { ...each, kind }, now);
    told.delete(key);
  }
  for (const over of told.values())
    await recordOnce(runtime, { ...over, kind, workflowId: null, trouble: null, content: noContent }, now);
}

const keyOf = ({ workspaceId, about }: Pick<Finding, 'workspaceId' | 'about'>): string =>
  `${workspaceId} ${about}`;

/** Problems that are over have no alert. */
function noContent(): never {
  throw new Error('A trouble that is over has no content.');
}

/** Reported problems of a kind that are not known to be over. */
async function loadReported({ db }: Pick<AlertRuntime, 'db'>, kind: AlertKind) {
  const { workspaceId, matter, toldOf } = alertStates;
  const prefix = `${kind}:`;
  const rows = await db
    .select({ workspaceId, matter, toldOf })
    .from(alertStates)
    .where(and(sql`${matter} like ${`${prefix}%`}`, isNotNull(toldOf)));
  const told = rows.map((row) => ({
    workspaceId: row.workspaceId,
    about: row.matter.slice(prefix.length),
    trouble: row.toldOf,
  }));
  return new Map(told.map((each) => [keyOf(each), each]));
}

/** A problem found by a check, or its end. */
interface Finding {
  workspaceId: string;
  kind: AlertKind;
  /** Id of the connection, workflow or the like, unique in the workspace. */
  about: string;
  /** Null: no workflow. */
  workflowId: string | null;
  /** Identifies the problem: reported once while it stays the same. Null: none (any more). */
  trouble: string | null;
  content: WriteContent;
}

/** Minimum time between alerts about a problem that comes and goes. */
const LEAST_PAUSE_MS = 3_600_000;

/**
 * Reports a problem unless it was reported, and records that in the same transaction.
 * @returns whether it is reported now
 */
export function recordOnce(
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
    const known = await lockAlertState(tx, workspaceId, matter);
    if (known?.toldOf === trouble) return false;
    const isSoonAgain =
      known?.toldOf === null &&
      known.toldAt !== null &&
      now.getTime() < known.toldAt.getTime() + LEAST_PAUSE_MS;
    if (isSoonAgain) return false;
    await tx.update(alertStates).set({ toldOf: trouble, toldAt: now }).where(isOurs);
    return recordAlert(runtime, tx, { workspaceId, kind, workflowId, content }, now);
  });
}

/** Workspaces with a destination for a kind that is off by default: others need not be checked. */
export async function listWatched({ db }: Pick<AlertRuntime, 'db'>, kind: AlertKind): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`select d.workspace_id as id from alert_destinations d where d.enabled and ${kind} = any (d.kinds)
    union
    select w.workspace_id from workflow_alert_settings s join workflows w on w.id = s.workflow_id
    where (s.settings::jsonb #> '{own,kinds}') ? ${kind}`,
  );
  return rows.map(({ id }) => id);
}
