// What starting a list would do. Rows without a tested outcome count as sent.
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import type { Forecast, List } from './schema.ts';
import { findRate, findTierLeft, listCategories, listTasks, readPublished, senderOf } from './sender.ts';

/** @param list of the workspace, as it was read */
export async function forecastList(
  ctx: MessagingContext,
  { workflow_id: workflowId, counts }: Pick<List, 'workflow_id' | 'counts'>,
): Promise<Forecast> {
  const { $client: pool } = ctx.db;
  const tasks = await listTasks(pool, workflowId, await readPublished(pool, workflowId));
  const sender = senderOf(tasks);
  const [categories, tierLeft, perSecond] = await Promise.all([
    listCategories({ ...ctx, pool }, tasks),
    findTierLeft(ctx, sender),
    findRate(pool, sender, ctx.platform.limits),
  ]);
  const people = counts.waiting;
  const byCategory = Map.groupBy(categories, (category) => category);
  return {
    people,
    messages: [...byCategory].map(([category, each]) => ({ category, count: each.length * people })),
    tierLeft,
    perSecond,
    seconds: Math.ceil((people * Math.max(1, categories.length)) / perSecond),
  };
}
