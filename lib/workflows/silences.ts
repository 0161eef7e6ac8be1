import { lowestIdSql } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { lastFromSender, newestFromSender } from './newest-events.ts';

/** A workflow without events for unusually long. */
export interface Silence {
  /** When the last event arrived, ISO 8601. */
  sinceAt: string;
  silentSeconds: number;
  /** The usual time between events. */
  usualSeconds: number;
}

/** A workflow that is no longer used is not reported for ever. */
const FORGOTTEN_MS = 30 * 86_400_000;

interface Row {
  id: string;
  recent: Date[];
  thinned: Date[] | null;
}

const LOWEST_ID_AT_INSTANT = lowestIdSql('(extract(epoch from instant) * 1000)::bigint');

/**
 * Every look-up uses the index over (workflow, id), whose ids begin with their milliseconds. Only workflows that are silent
 * now are examined: their newest events, and the newest before each of some hundred instants of the two weeks before, an hour
 * apart or an eighth of the silence.
 */
const SILENT = `
with silent as materialized (
  select w.id, last.at, greatest(interval '1 hour', ($3::timestamptz - last.at) / 8) as step
  from workflows w
  cross join lateral (${lastFromSender('w.id')}) last
  where w.workspace_id = $1 and w.deleted_at is null and w.active and w.published_version is not null
    and ($2::uuid[] is null or w.id = any($2)) and last.at between $4 and $5
)
select s.id, recent.events as recent, thinned.events as thinned
from silent s
cross join lateral (${newestFromSender('s.id', { value: 'array_agg(e.received_at) as events', limit: 100 })}) recent
cross join lateral (
  select array_agg(distinct before.at) as events
  from generate_series(s.at - $6::interval, s.at, s.step) instant
  cross join lateral (${lastFromSender('s.id', LOWEST_ID_AT_INSTANT)}) before
  where before.at is not null
) thinned`;

/** Active workflows without events for unusually long, by id; of the workspace, or the given ones of it. */
export async function listSilences(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { ids = null, now = new Date() }: { ids?: readonly string[] | null; now?: Date } = {},
): Promise<Map<string, Silence>> {
  const nowMs = now.getTime();
  const { rows } = await ctx.db.$client.query<Row>(SILENT, [
    ctx.workspaceId,
    ids,
    now,
    new Date(nowMs - FORGOTTEN_MS),
    new Date(nowMs - MIN_SILENCE_MS),
    `${RHYTHM_MS} milliseconds`,
  ]);
  const toMs = (dates: readonly Date[] | null): number[] => (dates ?? []).map((date) => date.getTime());
  return new Map(
    rows.flatMap((row) => {
      const silence = findSilence(nowMs, toMs(row.recent), toMs(row.thinned));
      return silence ? [[row.id, silence] as const] : [];
    }),
  );
}

/** Shorter silences are never reported, however busy a workflow is. */
const MIN_SILENCE_MS = 3_600_000;
/** Period before the last event that defines the usual pauses: two weekends. */
const RHYTHM_MS = 14 * 86_400_000;
/** Minimum number of events for a rhythm. */
const MIN_EVENTS = 10;
const MUCH_LONGER = 1.5;
/** With at least this many gaps, an outlier counts as an earlier silence, not as part of the rhythm. */
const MANY_GAPS = 30;

/**
 * Whether the time since the last event is much longer than the usual pauses before it (nights, weekends).
 * @param recentMs all of the newest events: they give the usual distance
 * @param thinnedMs events of the 14 days before the last one; some may be missing, but not around the pauses
 */
export function findSilence(
  nowMs: number,
  recentMs: readonly number[],
  thinnedMs: readonly number[],
): Silence | null {
  const recent = sorted(recentMs);
  const lastMs = recent.at(-1);
  if (lastMs === undefined) return null;
  const silentMs = nowMs - lastMs;
  const known = sorted([...recent, ...thinnedMs]).filter((at) => at >= lastMs - RHYTHM_MS);
  if (known.length < MIN_EVENTS || silentMs < MIN_SILENCE_MS) return null;
  const pauses = gapsOf(known).sort((a, b) => b - a);
  const longestMs = pauses[pauses.length >= MANY_GAPS ? 1 : 0] ?? 0;
  if (silentMs <= longestMs * MUCH_LONGER) return null;
  return {
    sinceAt: new Date(lastMs).toISOString(),
    silentSeconds: Math.floor(silentMs / 1000),
    usualSeconds: Math.round(median(gapsOf(recent)) / 1000),
  };
}

const sorted = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

const gapsOf = (instants: readonly number[]): number[] =>
  instants.slice(1).map((at, index) => at - (instants[index] ?? at));

function median(values: readonly number[]): number {
  const ordered = [...values].sort((a, b) => a - b);
  return ordered[Math.floor(ordered.length / 2)] ?? 0;
}
