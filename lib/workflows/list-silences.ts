import type { Context } from '#lib/identity/context.ts';
import { lastFromSender, newestFromSender } from './newest-from-sender.ts';
import { findSilence, MIN_SILENCE_MS, RHYTHM_MS } from './find-silence.ts';
import type { Silence } from './silence-types.ts';

/** A workflow that is no longer used is not reported for ever. */
const FORGOTTEN_MS = 30 * 86_400_000;

interface Row {
  id: string;
  recent: Date[];
  thinned: Date[] | null;
}

const LOWEST_ID_AT_INSTANT =
  "(lpad(to_hex((extract(epoch from instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid";

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
