import type { Context } from '#lib/identity/context.ts';
import { loadConnectionRow } from './load-connection.ts';

/** A number that was chosen with its connection, and the business account that the connection is for. @throws AppError `not_found` */
export async function getSender(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { connectionId, phoneNumberId }: { connectionId: string; phoneNumberId: string },
): Promise<{ connectionId: string; businessAccountId: string | undefined; phoneNumberId: string }> {
  const { businessAccountId } = await loadConnectionRow(ctx, connectionId);
  return { connectionId, businessAccountId: businessAccountId ?? undefined, phoneNumberId };
}
