import { randomBytes, randomInt } from 'node:crypto';

/** A platform-like object id: 15 digits, so that it is also a safe JSON number. */
export function newObjectId(): string {
  return `${randomInt(1, 9)}${randomInt(10_000_000).toString().padStart(7, '0')}${randomInt(10_000_000).toString().padStart(7, '0')}`;
}

/** A message id: opaque, base64 with its padding, like real ones (so that clients must percent-encode it). */
export function newMessageId(customer: string): string {
  const head = Buffer.concat([Buffer.from([0x1d, 0x05]), Buffer.from(customer), Buffer.from([0x15, 0x02])]);
  return `wamid.${Buffer.concat([head, randomBytes(12)])
    .toString('base64')
    .replaceAll('/', 'x')}`;
}

/** The trace id of every error response. */
export function newTraceId(): string {
  return `A${randomBytes(16).toString('base64url')}`;
}
