import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { lockConnection } from './load-connection.ts';

/** Records what was done with a connection, under its name. @throws AppError `not_found` when it was deleted meanwhile */
export async function recordUse(
  ctx: ActorContext,
  tx: Transaction,
  connectionId: string,
  action: string,
): Promise<void> {
  await recordAudit(ctx, tx, action, await lockConnection(ctx, tx, connectionId));
}
