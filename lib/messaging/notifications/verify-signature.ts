import { createHmac } from 'node:crypto';
import { isSameSecret } from '#lib/core/crypto/token.ts';

/** Whether `X-Hub-Signature-256` is that of the raw body: `sha256=<HMAC-SHA256 with the app secret, in hex>`. */
export function isSignedBy(appSecret: string, rawBody: Uint8Array, signature: string | null): boolean {
  const match = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? '');
  if (!match?.[1]) return false;
  const expected = createHmac('sha256', appSecret).update(rawBody).digest();
  return isSameSecret(Buffer.from(match[1], 'hex'), expected);
}
