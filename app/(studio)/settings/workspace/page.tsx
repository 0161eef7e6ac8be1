import type { Metadata } from 'next';
import { WorkspaceForm } from '#components/settings/workspace-form.tsx';
import { requireMember } from '#lib/auth/session.ts';
import { rename } from '../actions.ts';

export const metadata: Metadata = { title: 'Workspace' };

export default async function WorkspacePage() {
  const { workspaceName } = await requireMember('owner');
  return <WorkspaceForm name={workspaceName} rename={rename} />;
}
