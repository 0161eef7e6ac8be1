// The one address to which the platform sends what concerns all accounts of the app.
import type { Context } from '#lib/identity/context.ts';
import { type ConnectionRow, loadConnectionRow } from './connection-rows.ts';
import { sealedFor, verifyTokenOf } from './sealing.ts';

/** Fields that the app's receiver supports, by the platform's names: an account's own callback only gets the first two. */
export const APP_FIELDS = [
  'messages',
  'smb_message_echoes',
  'user_preferences',
  'message_template_status_update',
  'message_template_quality_update',
  'template_category_update',
  'phone_number_quality_update',
  'phone_number_name_update',
  'business_capability_update',
  'account_update',
  'account_alerts',
  'account_review_update',
  'security',
] as const;

export const appReceiverUrl = ({ baseUrl }: { baseUrl: string }): string => `${baseUrl}/hooks/messaging`;

/** `hub.verify_token` of the app's receiver: the same in all processes, and derived from the app secret. */
export const appVerifyToken = (appSecret: string): string => verifyTokenOf(appSecret);

export interface Receiver {
  /** The callback URL for the platform's dashboard … */
  url: string;
  /** … with this verify token. */
  verifyToken: string;
  /** Null: no notification has arrived yet. */
  lastNotificationAt: Date | null;
}

/** The URL of a connection's notifications. @throws AppError `not_found` */
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
