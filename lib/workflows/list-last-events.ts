import type { Context } from '#lib/identity/context.ts';
import { lastFromSender } from './newest-from-sender.ts';

const LAST = `
select w.id, w.name, last.at
from workflows w
cross join lateral (${lastFromSender('w.id')}) last
where w.workspace_id = $1 and w.deleted_at is null and w.active and w.published_version is not null and last.at is not null`;

/** Published, active workflows of a workspace with at least one event, by id, with the last one. */
export async function listLastEvents(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
): Promise<Map<string, { name: string; lastAt: Date }>> {
  const { rows } = await ctx.db.$client.query<{ id: string; name: string; at: Date }>(LAST, [
    ctx.workspaceId,
  ]);
  return new Map(rows.map(({ id, name, at }) => [id, { name, lastAt: at }]));
}
