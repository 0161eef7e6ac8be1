// Codes of authenticator apps (RFC 6238) with the parameters that all apps support: SHA-1, six digits, 30 seconds.
import { Secret, TOTP } from 'otpauth';

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Accepted steps of 30 seconds before and after, for clock differences. */
const DRIFT_STEPS = 1;
const ISSUER = 'Patchbay';

/** A new key, in base32. */
export const makeTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The `otpauth:` URI for the QR code. @param account name in the app's list */
export const totpUri = (secret: string, account: string): string => totp(secret, account).toString();

/**
 * The time step of a code.
 * @param at milliseconds since 1970
 * @returns null when it is the code of none of the accepted steps
 */
export function findTotpStep(secret: string, code: string, at: number): number | null {
  // The library throws for six characters that are no digits.
  if (!/^\d{6}$/.test(code)) return null;
  const generator = totp(secret);
  const delta = generator.validate({ token: code, timestamp: at, window: DRIFT_STEPS });
  return delta === null ? null : generator.counter({ timestamp: at }) + delta;
}

const totp = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret) });
