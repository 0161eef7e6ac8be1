import { and, isNotNull, sql } from 'drizzle-orm';
import type { AlertKind } from '../kinds.ts';
import type { AlertRuntime } from '../runtime.ts';
import { alertStates } from '../schema.ts';
import { type Finding, tellOnce } from './tell-once.ts';

/** A problem found by a check. */
export type Trouble = Omit<Finding, 'kind' | 'trouble'> & { trouble: string };

/**
 * Reports new problems of a kind, and records that all others are over. Known problems cost nothing.
 * @param found all current problems of that kind, in all workspaces
 */
export async function tellFindings(
  runtime: AlertRuntime,
  kind: AlertKind,
  found: readonly Trouble[],
  now = new Date(),
): Promise<void> {
  const told = await loadTold(runtime, kind);
  for (const each of found) {
    const key = keyOf(each);
    if (told.get(key)?.trouble !== each.trouble) await tellOnce(runtime, { ...each, kind }, now);
    told.delete(key);
  }
  for (const over of told.values())
    await tellOnce(runtime, { ...over, kind, workflowId: null, trouble: null, content: noContent }, now);
}

const keyOf = ({ workspaceId, about }: Pick<Finding, 'workspaceId' | 'about'>): string =>
  `${workspaceId} ${about}`;

/** Problems that are over have no alert. */
function noContent(): never {
  throw new Error('A trouble that is over has no content.');
}

/** Reported problems of a kind that are not known to be over. */
async function loadTold({ db }: Pick<AlertRuntime, 'db'>, kind: AlertKind) {
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
