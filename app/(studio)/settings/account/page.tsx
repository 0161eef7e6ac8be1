import type { Metadata } from 'next';
import { PasswordForm } from '#components/settings/password-form.tsx';
import { SessionsCard } from '#components/settings/sessions-card.tsx';
import { WorkspacesCard } from '#components/settings/workspaces-card.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole, ROLE_LABELS } from '#lib/identity/members/roles.ts';
import { switchWorkspace } from '../../actions.ts';
import { createAnother, leave, setPassword, signOutElsewhere } from '../actions.ts';

export const metadata: Metadata = { title: 'Your account' };

export default async function AccountPage() {
  const { user, memberships, workspaceId } = await requireMember('viewer');
  return (
    <div className="flex flex-col gap-6">
      <PasswordForm email={user.email} hasPassword={user.hasPassword} setPassword={setPassword} />
      <WorkspacesCard
        workspaces={memberships.map(({ id, name, role }) => ({ id, name, roleLabel: ROLE_LABELS[role] }))}
        currentId={workspaceId}
        canCreate={memberships.some(({ role }) => hasRole(role, 'editor'))}
        create={createAnother}
        leave={leave}
        switchTo={switchWorkspace}
      />
      <SessionsCard signOutElsewhere={signOutElsewhere} />
    </div>
  );
}
