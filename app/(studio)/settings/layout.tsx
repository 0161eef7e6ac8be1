import type { ReactNode } from 'react';
import { type SettingsGroup, SettingsNav } from '#components/settings/settings-nav.tsx';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole, type Role } from '#lib/identity/roles/roles.ts';

/** Every page of the settings, with the role that may open it. */
const GROUPS: readonly { title: string; pages: readonly { href: string; label: string; for: Role }[] }[] = [
  {
    title: 'General',
    pages: [
      { href: '/settings/workspace', label: 'Workspace', for: 'owner' },
      { href: '/settings/time', label: 'Time', for: 'owner' },
      { href: '/settings/members', label: 'Members', for: 'owner' },
      { href: '/settings/sign-in', label: 'Sign-in', for: 'owner' },
      { href: '/settings/api-keys', label: 'API keys', for: 'owner' },
      { href: '/settings/secrets', label: 'Secrets', for: 'viewer' },
    ],
  },
  {
    title: 'Customers',
    pages: [
      { href: '/settings/consent', label: 'Consent', for: 'owner' },
      { href: '/settings/prices', label: 'Prices', for: 'owner' },
    ],
  },
  {
    title: 'Operation',
    pages: [
      { href: '/settings/alerts', label: 'Alerts', for: 'viewer' },
      { href: '/settings/mail', label: 'Mail', for: 'owner' },
      { href: '/settings/retention', label: 'Retention', for: 'owner' },
      { href: '/settings/audit-log', label: 'Audit log', for: 'owner' },
      { href: '/settings/health', label: 'Health', for: 'viewer' },
    ],
  },
  { title: 'You', pages: [{ href: '/settings/account', label: 'Your account', for: 'viewer' }] },
];

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const { role } = await requireMember('viewer');
  const groups: SettingsGroup[] = GROUPS.map(({ title, pages }) => ({
    title,
    pages: pages.filter((page) => hasRole(role, page.for)),
  })).filter(({ pages }) => pages.length > 0);
  return (
    <Page>
      <PageHeader title="Settings" />
      <div className="lg:flex lg:items-start lg:gap-x-10">
        <SettingsNav groups={groups} />
        <div className="max-w-3xl min-w-0 flex-1">{children}</div>
      </div>
    </Page>
  );
}
