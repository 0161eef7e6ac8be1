import type { Metadata } from 'next';
import Link from 'next/link';
import { InvitationsCard } from '#components/settings/invitations-card.tsx';
import { MembersCard, TwoFactorRequirementCard } from '#components/settings/members-card.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { env } from '#lib/core/env.ts';
import { describeMailSetup } from '#lib/mail/transport.ts';
import { findProviderChoice } from '#lib/identity/auth/oidc/oidc-provider.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { findGroupAccess } from '#lib/identity/groups/group-access.ts';
import { listInvitations } from '#lib/identity/members/invitations.ts';
import { listMembers } from '#lib/identity/members/members.ts';
import { invite, remove, setRole, setTwoFactorRequirement, withdrawInvitation } from '../actions.ts';

export const metadata: Metadata = { title: 'Members' };

export default async function MembersPage() {
  const ctx = await requireMember('owner');
  const [members, invitations, groupAccess] = await Promise.all([
    listMembers(ctx),
    listInvitations(ctx),
    findGroupAccess(ctx),
  ]);
  return (
    <div className="flex flex-col gap-6">
      {groupAccess && (
        <Callout tone="info">
          Groups of {env().AUTH_OIDC_NAME} decide roles here: at the next sign-in of a person they replace
          what you set. See{' '}
          <Link href="/settings/sign-in" className="font-medium underline underline-offset-2">
            Sign-in
          </Link>
          .
        </Callout>
      )}
      <MembersCard members={members} ownUserId={ctx.user.id} setRole={setRole} remove={remove} />
      <TwoFactorRequirementCard
        required={ctx.requiresTwoFactor}
        providerName={findProviderChoice(env())?.name ?? null}
        change={setTwoFactorRequirement}
      />
      <InvitationsCard
        invitations={invitations}
        invite={invite}
        canMail={describeMailSetup(env()) !== null}
        withdraw={withdrawInvitation}
      />
    </div>
  );
}
