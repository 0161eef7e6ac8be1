import { and, isNotNull, sql } from 'drizzle-orm';
import type { AlertKind } from '../kinds.ts';
import type { AlertRuntime } from '../runtime.ts';
import { alertStates } from '../schema.ts';
import { type Finding, tellOnce } from './tell-once.ts';

/** A trouble that a check found. */
export type Trouble = Omit<Finding, 'kind' | 'trouble'> & { trouble: string };

/**
 * Tells of the troubles of a kind that are new, and notes that all others are over. What was told already costs nothing, however
 * many there are.
 * @param found every trouble of that kind there is now, in all workspaces
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

/** What is over is not told. */
function noContent(): never {
  throw new Error('A trouble that is over has no content.');
}

/** Matters of a kind that were told and are not known to be over. */
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
