'use server';
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { chooseWorkspace } from '#lib/identity/auth/choose-workspace.ts';
import { findMember, findUser } from '#lib/identity/auth/session.ts';
import { endSession } from '#lib/identity/auth/user-sessions.ts';
import { listWorkflowNames } from '#lib/workflows/list-workflow-names.ts';

/** Ends the session in the database and in the browser. */
export async function signOut(): Promise<void> {
  const user = await findUser();
  if (user) await endSession((await processRuntime()).db, user.sessionId);
  const jar = await cookies();
  for (const { name } of jar.getAll()) if (name.includes('next-auth.session-token')) jar.delete(name);
  redirect('/sign-in');
}

/** Chooses another of one's workspaces; any other id changes nothing. */
export async function switchWorkspace(id: string): Promise<void> {
  const member = await findMember();
  if (!member?.memberships.some((membership) => membership.id === id)) return;
  await chooseWorkspace(id);
  redirect('/workflows');
}

/** The workflows' names for the command palette; none for those who are signed out. */
export async function findWorkflows(): Promise<{ id: string; name: string }[]> {
  const member = await findMember();
  if (!member) return [];
  return listWorkflowNames(member);
}
