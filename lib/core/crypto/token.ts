// Random tokens that open something: webhook URLs, links, API keys. The database stores their hash only.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new token: 192 random bits as 32 characters of base64url. */
export const newToken = (): string => randomBytes(24).toString('base64url');

/** The SHA-256 under which a token is stored and looked up. Random tokens cannot be guessed, so that they need no slow hash. */
export const hashToken = (token: string | Uint8Array): Buffer => hash('sha256', token, 'buffer');

/** Compares secrets of any length in constant time. */
export const isSameSecret = (given: string | Uint8Array, expected: string | Uint8Array): boolean =>
  timingSafeEqual(hashToken(given), hashToken(expected));
