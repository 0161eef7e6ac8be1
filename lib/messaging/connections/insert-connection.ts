import { connections } from '#lib/messaging/schema/connections.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import type { Tokens } from '#lib/messaging/platform/identity.ts';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import type { ConnectionRow } from './load-connection.ts';
import { sealedFor } from './sealing.ts';
import { tokenColumns } from './token-columns.ts';

export interface ConnectionFields {
  name: string;
  tokens: Omit<Tokens, 'scopes'>;
  scopes: string[];
  businessAccount: { id: string; name: string | null } | null;
}

/** Makes and records a connection. @throws AppError `conflict` when the business account has a connection already */
export async function insertConnection(
  ctx: ActorContext,
  tx: Transaction,
  { name, tokens, scopes, businessAccount }: ConnectionFields,
): Promise<ConnectionRow> {
  const id = newId();
  const { workspaceId } = ctx;
  const receiverToken = newToken();
  const [row] = await tx
    .insert(connections)
    .values({
      id,
      workspaceId,
      name,
      scopes,
      businessAccountId: businessAccount?.id ?? null,
      businessAccountName: businessAccount?.name ?? null,
      ...tokenColumns(ctx, id, tokens, new Date()),
      receiverTokenHash: hashToken(receiverToken),
      receiverTokenEncrypted: ctx.secrets.seal(receiverToken, sealedFor(workspaceId, 'receiver_token', id)),
      createdBy: ctx.actor,
    })
    // Its one unique key besides the random ones: one connection for each business account.
    .onConflictDoNothing()
    .returning();
  if (!row) {
    throw new AppError(
      'conflict',
      'This business account is already connected in this workspace. Reconnect that connection.',
      {
        problems: [{ path: 'business_account_id', message: 'Select another business account.' }],
      },
    );
  }
  await recordAudit(ctx, tx, 'connection.created', { id, name });
  return row;
}
