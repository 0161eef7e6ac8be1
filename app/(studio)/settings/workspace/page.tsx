import type { Metadata } from 'next';
import { MaskingCard } from '#components/settings/masking-card.tsx';
import { WorkspaceForm } from '#components/settings/workspace-form.tsx';
import { requireMember } from '#lib/auth/session.ts';
import { maskNumbers, rename } from '../actions.ts';

export const metadata: Metadata = { title: 'Workspace' };

export default async function WorkspacePage() {
  const { workspaceName, masksNumbers } = await requireMember('owner');
  return (
    <div className="flex flex-col gap-6">
      <WorkspaceForm name={workspaceName} rename={rename} />
      <MaskingCard masksNumbers={masksNumbers} change={maskNumbers} />
    </div>
  );
}
