import type { Membership } from './list-memberships.ts';
import type { SessionUser } from './user-sessions.ts';

/**
 * Whether a workspace keeps somebody out until they have set up a second factor: since it requires one they have signed
 * in with a password only. Whoever was signed in by then stays so.
 */
export const lacksTwoFactor = (
  { hasTwoFactor, signedInBy, signedInAt }: Pick<SessionUser, 'hasTwoFactor' | 'signedInBy' | 'signedInAt'>,
  { twoFactorRequiredAt }: Pick<Membership, 'twoFactorRequiredAt'>,
): boolean =>
  twoFactorRequiredAt !== null &&
  !hasTwoFactor &&
  signedInBy !== 'provider' &&
  signedInBy !== 'passkey' &&
  signedInAt > twoFactorRequiredAt;
