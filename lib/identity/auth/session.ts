// Who is asking: every page, server action and route calls one of these itself; nothing trusts a layout or a proxy.

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { getServerSession } from 'next-auth';
import { cache } from 'react';

import { processRuntime } from '#lib/core/process-runtime.ts';
import { env } from '#lib/core/env.ts';
import { AppError } from '#lib/core/errors.ts';
import { hasRole, ROLE_LABELS, type Role } from '#lib/identity/members/roles.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { listMemberships, type Membership } from './list-memberships.ts';
import { nextAuthOptions } from './next-auth-options.ts';
import { findSessionUser } from './user-sessions.ts';

export interface SignedInUser {
  id: string;
  email: string;
  hasPassword: boolean;
  sessionId: string;
}

/** The context of a member: what verbs need, and who is asking. */
export interface MemberContext extends ActorContext {
  user: SignedInUser;
  role: Role;
  workspaceName: string;
  masksNumbers: boolean;
  /** All workspaces of the user. */
  memberships: readonly Membership[];
}

/** Which of several workspaces somebody works in. It only chooses among those they are a member of. */
export const WORKSPACE_COOKIE = 'workspace';

/** Who is signed in; null for nobody. Asked once a request. */
export const findUser = cache(async (): Promise<SignedInUser | null> => {
  const { db } = await processRuntime();
  const session = await getServerSession(nextAuthOptions(db, env()));
  const sessionId = session?.sessionId;
  if (!sessionId) return null;
  const user = await findSessionUser(db, sessionId);
  return user && { ...user, sessionId };
});

/** The signed-in member in the chosen workspace; null for nobody and for users without a workspace. */
export const findMember = cache(async (): Promise<MemberContext | null> => {
  const user = await findUser();
  if (!user) return null;
  const { db, secrets, baseUrl } = await processRuntime();
  const memberships = await listMemberships(db, user.id);
  const chosen = (await cookies()).get(WORKSPACE_COOKIE)?.value;
  const membership = memberships.find(({ id }) => id === chosen) ?? memberships[0];
  if (!membership) return null;
  const { id: workspaceId, name: workspaceName, role, masksNumbers } = membership;
  const workspace = { workspaceId, workspaceName, role, masksNumbers };
  return { db, secrets, baseUrl, actor: user.id, user, ...workspace, memberships };
});

/** For pages: sends everybody else to where they can sign in, or are told what is missing. */
export async function requireMember(minimumRole: Role): Promise<MemberContext> {
  const member = await findMember();
  if (!member) redirect((await findUser()) ? '/no-access' : '/sign-in');
  if (!hasRole(member.role, minimumRole)) redirect(`/no-access?needs=${minimumRole}`);
  return member;
}

/** For server actions and routes. @throws AppError `unauthorized`, `forbidden` */
export async function assertMember(minimumRole: Role): Promise<MemberContext> {
  const member = await findMember();
  if (!member) throw new AppError('unauthorized', 'You are signed out. Sign in again.');
  if (hasRole(member.role, minimumRole)) return member;
  throw new AppError(
    'forbidden',
    `Your role is ${ROLE_LABELS[member.role]}; this needs ${ROLE_LABELS[minimumRole]}: ask an owner of the workspace.`,
  );
}
