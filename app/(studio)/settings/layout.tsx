import type { ReactNode } from 'react';
import { SettingsTabs } from '#components/settings/settings-tabs.tsx';
import { Page } from '#components/shell/page.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/members/roles.ts';

const FOR_ALL = [
  { href: '/settings/account', label: 'Your account' },
  { href: '/settings/health', label: 'Health' },
];
const FOR_OWNERS = [
  { href: '/settings/workspace', label: 'Workspace' },
  { href: '/settings/members', label: 'Members' },
  { href: '/settings/api-keys', label: 'API keys' },
  { href: '/settings/audit-log', label: 'Audit log' },
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
