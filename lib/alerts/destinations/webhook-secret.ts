// Secrets that sign webhooks of alerts, by Standard Webhooks (https://www.standardwebhooks.com): symmetric ones.
import { createHmac, randomBytes } from 'node:crypto';
import type { Binding } from '#lib/core/crypto/secret-box.ts';

const PREFIX = 'whsec_';
/** Standard Webhooks requires 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret, in the form for receivers. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export const webhookSecretBinding = (workspaceId: string, destinationId: string): Binding => [
  workspaceId,
  'alert_webhook',
  destinationId,
];

/**
 * Headers by which a receiver verifies a message, and recognizes repeated ones.
 * @param id the same for each attempt
 */
export function signWebhook(
  secret: string,
  { id, sentAt, body }: { id: string; sentAt: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
