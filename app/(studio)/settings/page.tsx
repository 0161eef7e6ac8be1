import { redirect } from 'next/navigation';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';

export default async function SettingsPage() {
  const { role } = await requireMember('viewer');
  redirect(hasRole(role, 'owner') ? '/settings/workspace' : '/settings/account');
}
