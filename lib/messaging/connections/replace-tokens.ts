import { eq, sql } from 'drizzle-orm';
import { connections } from '#lib/messaging/schema/connections.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import type { ConnectionRow } from './load-connection.ts';
import type { AuthorizedLogin } from './login-secrets.ts';
import { tokenColumns } from './token-columns.ts';

/** Connects a connection again; an answer to a refresh that is under way finds newer tokens and is dropped. */
export async function replaceTokens(
  ctx: ActorContext,
  tx: Transaction,
  row: ConnectionRow,
  login: Omit<AuthorizedLogin, 'step' | 'origin'>,
): Promise<void> {
  const replaced = await tx
    .update(connections)
    .set({
      ...tokenColumns(ctx, row.id, login, new Date(login.receivedAt)),
      scopes: login.scopes,
      tokenRevision: sql`${connections.tokenRevision} + 1`,
      status: 'connected',
      statusReason: null,
      lastRefreshError: null,
      checkDueAt: null,
      refreshLeaseId: null,
      refreshLeaseUntil: null,
      updatedAt: new Date(),
    })
    .where(eq(connections.id, row.id))
    .returning({ id: connections.id, name: connections.name });
  for (const target of replaced) await recordAudit(ctx, tx, 'connection.reconnected', target);
}
