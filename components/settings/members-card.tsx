'use client';
import { UserMinus } from 'lucide-react';
import { useOptimistic, useTransition } from 'react';
import { Avatar } from '#components/ui/badge.tsx';
import { Card } from '#components/ui/card.tsx';
import { Switch } from '#components/ui/form/checkbox.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { showActionError, toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { Member } from '#lib/identity/members/schema.ts';
import type { Role } from '#lib/identity/roles/roles.ts';
import { ROLE_OPTIONS } from './role-options.ts';

export interface MembersCardProps {
  members: readonly Member[];
  ownUserId: string;
  setRole: (input: { userId: string; role: Role }) => Promise<ActionResult<void>>;
  remove: (input: { userId: string }) => Promise<ActionResult<void>>;
}

/** The workspace's members and their roles. */
export function MembersCard({ members, ownUserId, setRole, remove }: MembersCardProps) {
  const [shown, change] = useOptimistic(members, (before, next: { userId: string; role: Role }) =>
    before.map((member) => (member.userId === next.userId ? { ...member, role: next.role } : member)),
  );
  const [, startTransition] = useTransition();
  const changeRole = (userId: string, role: Role) =>
    startTransition(async () => {
      change({ userId, role });
      const changed = await setRole({ userId, role });
      if (!changed.ok) showActionError(changed.error);
    });
  const removeMember = async (userId: string) => {
    const removed = await remove({ userId });
    if (!removed.ok) showActionError(removed.error);
  };
  return (
    <Card title="Members">
      <ul className="-my-2 divide-y divide-line">
        {shown.map(({ userId, email, role, joinedAt, hasTwoFactor }) => (
          <li key={userId} className="flex flex-wrap items-center gap-3 py-3">
            <Avatar text={email} />
            <div className="min-w-40 flex-1">
              <p className="font-medium wrap-anywhere">
                {email}
                {userId === ownUserId && <span className="font-normal text-muted"> (you)</span>}
              </p>
              <p className="text-sm text-muted">
                joined <RelativeTime at={joinedAt} />
                {hasTwoFactor && ' · two-factor sign-in'}
              </p>
            </div>
            <Select
              aria-label={`Role of ${email}`}
              className="w-32"
              options={ROLE_OPTIONS}
              value={role}
              onValueChange={(next) => changeRole(userId, next)}
            />
            <ConfirmDialog
              title={`Remove member ${email}?`}
              description="They lose access immediately, and API keys that they created stop working. Everything else they created stays. You can invite them again."
              confirmLabel="Remove member"
              danger
              onConfirm={() => removeMember(userId)}
              trigger={
                <IconButton label={`Remove ${email}`} size="sm">
                  <UserMinus aria-hidden />
                </IconButton>
              }
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

export interface TwoFactorRequirementCardProps {
  required: boolean;
  /** Of the identity provider; null: there is none. */
  providerName: string | null;
  change: (input: { required: boolean }) => Promise<ActionResult<void>>;
}

export function TwoFactorRequirementCard({ required, providerName, change }: TwoFactorRequirementCardProps) {
  const [shown, setShown] = useOptimistic(required);
  const [, startTransition] = useTransition();
  const toggle = (next: boolean) =>
    startTransition(async () => {
      setShown(next);
      const changed = await change({ required: next });
      if (!changed.ok) toast.error(changed.error.message);
    });
  return (
    <Card
      title="Two-factor sign-in"
      description={`Members who sign in with a password and have no second factor set one up at their next sign-in. A passkey counts as both. Browsers that are already signed in stay signed in for up to 30 days.${
        providerName ? ` Sign-in with ${providerName} is not affected.` : ''
      }`}
    >
      <Switch label="Require two-factor sign-in" checked={shown} onCheckedChange={toggle} />
    </Card>
  );
}
