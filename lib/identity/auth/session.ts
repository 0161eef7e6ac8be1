// Authorization: every page, server action and route calls one of these itself; no layout or proxy is relied on.

import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getServerSession } from 'next-auth';
import { cache } from 'react';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { env } from '#lib/core/env.ts';
import { AppError } from '#lib/core/errors.ts';
import { hasRole, ROLE_LABELS, type Role } from '#lib/identity/roles/roles.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { listMemberships, type Membership } from './list-memberships.ts';
import { nextAuthOptions } from './next-auth-options.ts';
import { readBrowser } from './known-browser.ts';
import { findSessionUser, noteSeen, type SignedInBy, type SessionUser } from './user-sessions.ts';

export interface SignedInUser {
  id: string;
  email: string;
  hasPassword: boolean;
  hasTwoFactor: boolean;
  /** Null for sessions from before this was recorded. */
  signedInBy: SignedInBy | null;
  signedInAt: Date;
  sessionId: string;
}

/** The context of a member: what verbs need, and which member acts. */
export interface MemberContext extends ActorContext {
  user: SignedInUser;
  role: Role;
  workspaceName: string;
  masksNumbers: boolean;
  requiresTwoFactor: boolean;
  /** All workspaces of the user. */
  memberships: readonly Membership[];
}

/** Cookie with the selected workspace. It only selects among the user's memberships. */
export const WORKSPACE_COOKIE = 'workspace';

/** The signed-in user; null for none. Looked up once per request. */
export const findUser = cache(async (): Promise<SignedInUser | null> => {
  const { db } = await processRuntime();
  const session = await getServerSession(nextAuthOptions(db, env()));
  const sessionId = session?.sessionId;
  if (!sessionId) return null;
  const user = await findSessionUser(db, sessionId);
  if (user?.isSeenLongAgo) await noteSeen(db, sessionId, readBrowser(await headers()).address);
  return user && { ...user, sessionId };
});

/** The workspace of a user: the selected one, or their first. */
const findMembership = cache(async (user: SignedInUser): Promise<OwnMemberships | null> => {
  const memberships = await listMemberships((await processRuntime()).db, user.id);
  const chosen = (await cookies()).get(WORKSPACE_COOKIE)?.value;
  const membership = memberships.find(({ id }) => id === chosen) ?? memberships[0];
  return membership ? { membership, memberships } : null;
});

interface OwnMemberships {
  membership: Membership;
  memberships: readonly Membership[];
}

/** The workspace that requires a second factor which the user has not set up; null: none does. */
export async function findMissingTwoFactor(): Promise<{ workspaceName: string } | null> {
  const user = await findUser();
  const found = user && (await findMembership(user));
  return found && lacksTwoFactor(user, found.membership) ? { workspaceName: found.membership.name } : null;
}

/**
 * The signed-in member in the selected workspace; null without a session or a workspace, and for users who have to set up a
 * second factor first.
 */
export const findMember = cache(async (): Promise<MemberContext | null> => {
  const user = await findUser();
  if (!user) return null;
  const { db, secrets, baseUrl } = await processRuntime();
  const found = await findMembership(user);
  if (!found || lacksTwoFactor(user, found.membership)) return null;
  const { membership, memberships } = found;
  const { id: workspaceId, name: workspaceName, role, masksNumbers } = membership;
  const requiresTwoFactor = membership.twoFactorRequiredAt !== null;
  const workspace = { workspaceId, workspaceName, role, masksNumbers, requiresTwoFactor };
  return { db, secrets, baseUrl, actor: user.id, user, ...workspace, memberships };
});

/** For pages: redirects everybody else to the sign-in, or to a page that says what is missing. */
export async function requireMember(minimumRole: Role): Promise<MemberContext> {
  const member = await findMember();
  if (!member && (await findMissingTwoFactor())) redirect('/two-factor');
  if (!member) redirect((await findUser()) ? '/no-access' : '/sign-in');
  if (!hasRole(member.role, minimumRole)) redirect(`/no-access?needs=${minimumRole}`);
  return member;
}

/** For server actions and routes. @throws AppError `unauthorized`, `forbidden` */
export async function assertMember(minimumRole: Role): Promise<MemberContext> {
  const member = await findMember();
  if (!member && (await findMissingTwoFactor()))
    throw new AppError(
      'forbidden',
      'Your workspace requires two-factor sign-in. Reload the page to set it up.',
    );
  if (!member) throw new AppError('unauthorized', 'You are signed out. Sign in again.');
  if (hasRole(member.role, minimumRole)) return member;
  throw new AppError(
    'forbidden',
    `Your role is ${ROLE_LABELS[member.role]}; this needs ${ROLE_LABELS[minimumRole]}: ask an owner of the workspace.`,
  );
}

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
