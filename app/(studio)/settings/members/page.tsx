import type { Metadata } from 'next';
import { InvitationsCard } from '#components/settings/invitations-card.tsx';
import { MembersCard } from '#components/settings/members-card.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { listInvitations } from '#lib/identity/members/invitations.ts';
import { listMembers } from '#lib/identity/members/list-members.ts';
import { invite, remove, setRole, withdrawInvitation } from '../actions.ts';

export const metadata: Metadata = { title: 'Members' };

export default async function MembersPage() {
  const ctx = await requireMember('owner');
  const [members, invitations] = await Promise.all([listMembers(ctx), listInvitations(ctx)]);
  return (
    <div className="flex flex-col gap-6">
      <MembersCard members={members} ownUserId={ctx.user.id} setRole={setRole} remove={remove} />
      <InvitationsCard invitations={invitations} invite={invite} withdraw={withdrawInvitation} />
    </div>
  );
}
