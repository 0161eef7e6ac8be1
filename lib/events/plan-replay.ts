import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';

/** What replaying events would repeat. */
export interface ReplayPlan {
  /** Number of events that ran before. */
  events: number;
  /** Number of messages that their last runs sent. */
  messages: number;
}

/** Replays are collected before they are sorted: sorted by id, the planner could read all events instead. */
const PLAN = `
select count(*)::int as events, coalesce(sum(sent.messages), 0)::int as messages
from (
  select coalesce(
    (select (array_agg(replay.run_id order by replay.id desc))[1] from events replay where replay.replay_of = e.id),
    e.run_id) as run_id
  from events e where e.id = any($1::uuid[]) and e.workspace_id = $2
) last
cross join lateral (
  select count(*) as messages from sent_messages m where m.run_id = last.run_id and m.workspace_id = $2
) sent
where last.run_id is not null`;

/** Counts what replaying events would repeat. Events that never ran repeat nothing. */
export async function planReplay(ctx: Context, { ids }: { ids: readonly string[] }): Promise<ReplayPlan> {
  const { rows } = await ctx.db.$client.query<ReplayPlan>(PLAN, [ids.filter(isId), ctx.workspaceId]);
  return rows[0] ?? { events: 0, messages: 0 };
}
