'use server';
import { redirect } from 'next/navigation';
import { chooseWorkspace, signOutHere } from '#lib/identity/auth/workspace-cookie.ts';
import { findMember } from '#lib/identity/auth/session.ts';
import { listWorkflowNames } from '#lib/workflows/workflow-names.ts';

/** Ends the session in the database and in the browser. */
export async function signOut(): Promise<void> {
  await signOutHere();
  redirect('/sign-in');
}

/** Selects another of the user's workspaces; any other id changes nothing. */
export async function switchWorkspace(id: string): Promise<void> {
  const member = await findMember();
  if (!member?.memberships.some((membership) => membership.id === id)) return;
  await chooseWorkspace(id);
  redirect('/workflows');
}

/** The workflows' names for the command palette; none without a session. */
export async function findWorkflows(): Promise<{ id: string; name: string }[]> {
  const member = await findMember();
  if (!member) return [];
  return listWorkflowNames(member);
}
