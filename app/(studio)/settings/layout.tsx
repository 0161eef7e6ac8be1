import type { ReactNode } from 'react';
import { SettingsTabs } from '#components/settings/settings-tabs.tsx';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';

const FOR_ALL = [
  { href: '/settings/alerts', label: 'Alerts' },
  { href: '/settings/secrets', label: 'Secrets' },
  { href: '/settings/account', label: 'Your account' },
  { href: '/settings/health', label: 'Health' },
];
const FOR_OWNERS = [
  { href: '/settings/workspace', label: 'Workspace' },
  { href: '/settings/time', label: 'Time' },
  { href: '/settings/members', label: 'Members' },
  { href: '/settings/sign-in', label: 'Sign-in' },
  { href: '/settings/api-keys', label: 'API keys' },
  { href: '/settings/mail', label: 'Mail' },
  { href: '/settings/audit-log', label: 'Audit log' },
  { href: '/settings/retention', label: 'Retention' },
  { href: '/settings/consent', label: 'Consent' },
  { href: '/settings/prices', label: 'Prices' },
];

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const { role } = await requireMember('viewer');
  return (
    <Page narrow>
      <PageHeader title="Settings" />
      <SettingsTabs tabs={hasRole(role, 'owner') ? [...FOR_OWNERS, ...FOR_ALL] : FOR_ALL} />
      {children}
    </Page>
  );
}
