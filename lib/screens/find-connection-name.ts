import { AppError } from '#lib/core/errors.ts';
import type { Context } from '#lib/identity/context.ts';
import { getConnection } from '#lib/messaging/connections/get-connection.ts';

/** The connection's name for users. Null: it was deleted. */
export const findConnectionName = (ctx: Context, id: string): Promise<string | null> =>
  getConnection(ctx, { id }).then(
    ({ name }) => name,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    },
  );
