import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { type EventRow, SUMMARY_COLUMNS, toEvent } from './event-row.ts';
import type { Event } from './schema.ts';

const GET = `select ${SUMMARY_COLUMNS}, e.headers, e.body from events e where e.id = $1 and e.workspace_id = $2`;

/** An event with its headers and body. @throws AppError `not_found` */
export async function getEvent(ctx: Context, { id }: { id: string }): Promise<Event> {
  const { rows } = isId(id) ? await ctx.db.$client.query<EventRow>(GET, [id, ctx.workspaceId]) : { rows: [] };
  if (!rows[0]) throw new AppError('not_found', 'This event does not exist.');
  return toEvent(rows[0]);
}
