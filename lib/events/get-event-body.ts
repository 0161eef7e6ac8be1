import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';

/** An event's body byte for byte; of an unreadable one the stored part. @throws AppError `not_found` */
export async function getEventBody(ctx: Context, { id }: { id: string }): Promise<Buffer> {
  const { rows } = isId(id)
    ? await ctx.db.$client.query<{ body: Buffer | null }>(
        'select body from events where id = $1 and workspace_id = $2',
        [id, ctx.workspaceId],
      )
    : { rows: [] };
  if (!rows[0]) throw new AppError('not_found', 'This event does not exist.');
  if (!rows[0].body) throw new AppError('not_found', 'The body of this event was too large to store.');
  return rows[0].body;
}
