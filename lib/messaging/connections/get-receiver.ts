import type { Context } from '#lib/identity/context.ts';
import { type ConnectionRow, loadConnectionRow } from './load-connection.ts';
import { sealedFor, verifyTokenOf } from './sealing.ts';

export interface Receiver {
  /** Goes into the platform's dashboard as callback URL … */
  url: string;
  /** … with this as verify token. */
  verifyToken: string;
  /** Null: no notification has come yet. */
  lastNotificationAt: Date | null;
}

/** Where the platform sends a connection's notifications. @throws AppError `not_found` */
export const getReceiver = async (ctx: Context, { id }: { id: string }): Promise<Receiver> =>
  receiverOf(ctx, await loadConnectionRow(ctx, id));

export function receiverOf(ctx: Pick<Context, 'secrets' | 'baseUrl'>, row: ConnectionRow): Receiver {
  const token = ctx.secrets.open(
    row.receiverTokenEncrypted,
    sealedFor(row.workspaceId, 'receiver_token', row.id),
  );
  return {
    url: `${ctx.baseUrl}/hooks/messaging/${token}`,
    verifyToken: verifyTokenOf(token),
    lastNotificationAt: row.lastNotificationAt,
  };
}
