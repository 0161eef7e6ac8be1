import type { Metadata } from 'next';
import { PasswordForm } from '#components/settings/password-form.tsx';
import { SessionsCard } from '#components/settings/sessions-card.tsx';
import { requireMember } from '#lib/auth/session.ts';
import { setPassword, signOutElsewhere } from '../actions.ts';

export const metadata: Metadata = { title: 'Your account' };

export default async function AccountPage() {
  const { user } = await requireMember('viewer');
  return (
    <div className="flex flex-col gap-6">
      <PasswordForm email={user.email} hasPassword={user.hasPassword} setPassword={setPassword} />
      <SessionsCard signOutElsewhere={signOutElsewhere} />
    </div>
  );
}
