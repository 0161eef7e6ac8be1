import type { Membership } from './list-memberships.ts';
import type { SessionUser } from './user-sessions.ts';

/**
 * Whether a member has to set up a second factor before using a workspace: it requires one, and they have signed in with only
 * a password since then. Earlier sessions are kept.
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
