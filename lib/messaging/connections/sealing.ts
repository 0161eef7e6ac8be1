// Bindings of a connection's encrypted secrets: none can be decrypted as another one, or in another workspace.
import { createHmac } from 'node:crypto';
import type { Binding } from '#lib/core/crypto/secret-box.ts';

type Purpose = 'access_token' | 'refresh_token' | 'receiver_token' | 'connection_login';

export const sealedFor = (workspaceId: string, purpose: Purpose, recordId: string): Binding => [
  workspaceId,
  purpose,
  recordId,
];

/** `hub.verify_token` of a connection's receiver: derived, so that it need not be stored. */
export const verifyTokenOf = (receiverToken: string): string =>
  createHmac('sha256', receiverToken).update('hub.verify_token').digest('base64url');
