import type { SessionUser } from './user-sessions.ts';

const JUST_NOW_MS = 10 * 60_000;

/** Whether the user gave their password or passkey a moment ago, so that it need not be asked for again. */
export const isJustSignedIn = ({
  signedInBy,
  signedInAt,
}: Pick<SessionUser, 'signedInBy' | 'signedInAt'>): boolean =>
  (signedInBy === 'password' || signedInBy === 'passkey') && Date.now() - signedInAt.getTime() < JUST_NOW_MS;
