import type { Context } from '#lib/identity/context.ts';
import { showConnection } from './find-answering.ts';
import { loadConnectionRow } from './load-connection.ts';
import type { Connection } from './schema.ts';

/** @throws AppError `not_found` */
export const getConnection = async (ctx: Context, { id }: { id: string }): Promise<Connection> =>
  showConnection(ctx, await loadConnectionRow(ctx, id));
