// Codes of authenticator apps (RFC 6238) in the form that all apps know: SHA-1, six digits, 30 seconds.
import { Secret, TOTP } from 'otpauth';

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Of 30 seconds, before and after: how far the clocks may be apart. */
const DRIFT_STEPS = 1;
const ISSUER = 'Patchbay';

/** A new key, in Base32. */
export const makeTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What the QR code says: a URI of the kind `otpauth:`. @param account as the app lists it */
export const totpUri = (secret: string, account: string): string => totp(secret, account).toString();

/**
 * Which time step a code belongs to.
 * @param at milliseconds since 1970
 * @returns null when it is the code of none of the steps that count now
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
