// A connection to a business account, as measurements need it: it is never checked.
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { sealedFor } from '#lib/messaging/connections/sealing.ts';
import { ENCRYPTION_KEYS } from '../../server/testing/beside-sandbox.ts';
import { ACCOUNT } from './platform-notification.ts';

/** Of every connection. */
export const ACCESS_TOKEN = 'the-token-of-this-measurement';

export interface InsertedConnection {
  connectionId: string;
  /** Path of its receiver of notifications. */
  path: string;
}

/** A workflow starts with each message that a customer sends to the connection. */
export const subscribeToMessages = (pool: Pool, connectionId: string, workflowId: string): Promise<unknown> =>
  pool.query(
    `insert into connection_subscriptions (connection_id, workflow_id, kinds) values ($1, $2, '{messages}')`,
    [connectionId, workflowId],
  );

export async function insertConnection(pool: Pool, workspaceId: string): Promise<InsertedConnection> {
  const connectionId = newId();
  const token = newToken();
  const accessToken = createSecretBox(ENCRYPTION_KEYS).seal(
    ACCESS_TOKEN,
    sealedFor(workspaceId, 'access_token', connectionId),
  );
  await pool.query(
    `insert into connections (id, workspace_id, name, business_account_id, scopes, access_token_encrypted, token_issued_at,
       receiver_token_hash, receiver_token_encrypted, check_due_at)
     values ($1, $2, 'Measured', $3, '{}', $4, now(), $5, '', now() + interval '1 day')`,
    [connectionId, workspaceId, ACCOUNT, accessToken, hashToken(token)],
  );
  return { connectionId, path: `/hooks/messaging/${token}` };
}
