import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { AppShell } from '#components/shell/app-shell.tsx';
import { SandboxPhoneProvider } from '#components/shell/sandbox-phone.tsx';
import { LAYOUT_COOKIE, readLayout } from '#components/shell/layout-cookie.ts';
import { Toaster } from '#components/ui/overlay/toaster.tsx';
import { ZoneProvider } from '#components/ui/relative-time.tsx';
import { env } from '#lib/core/env.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { hasRole, ROLE_LABELS } from '#lib/identity/roles/roles.ts';
import { findWorkflows, signOut, switchWorkspace } from './actions.ts';

export default async function StudioLayout({ children }: { children: ReactNode }) {
  const ctx = await requireMember('viewer');
  const { user, role, workspaceId, workspaceName, memberships } = ctx;
  const { zone } = await getWorkspaceTime(ctx);
  const { nav, editorNav } = readLayout((await cookies()).get(LAYOUT_COOKIE)?.value);
  return (
    <ZoneProvider zone={zone}>
      <AppShell
        email={user.email}
        roleLabel={ROLE_LABELS[role]}
        workspaceId={workspaceId}
        workspaceName={workspaceName}
        workspaces={memberships.map(({ id, name }) => ({ id, name }))}
        canEdit={hasRole(role, 'editor')}
        layout={{ nav, editorNav }}
        signOut={signOut}
        switchWorkspace={switchWorkspace}
        findWorkflows={findWorkflows}
      >
        <SandboxPhoneProvider url={env().SANDBOX_PUBLIC_URL ?? null}>{children}</SandboxPhoneProvider>
      </AppShell>
      <Toaster />
    </ZoneProvider>
  );
}
