import type { Context } from '#lib/identity/context.ts';
import { loadConnectionRow } from './load-connection.ts';
import type { Connection } from './schema.ts';
import { toConnection } from './to-connection.ts';

/** @throws AppError `not_found` */
export const getConnection = async (ctx: Context, { id }: { id: string }): Promise<Connection> =>
  toConnection(ctx, await loadConnectionRow(ctx, id));
