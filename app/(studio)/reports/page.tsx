import type { Metadata } from 'next';
import { DeliveryScreen } from '#components/reports/delivery-screen.tsx';
import { Page } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';

export const metadata: Metadata = { title: 'Delivery report' };

export default async function ReportsPage() {
  const ctx = await requireMember('viewer');
  const { zone } = await getWorkspaceTime(ctx);
  return (
    <Page>
      <DeliveryScreen canEditPrices={hasRole(ctx.role, 'owner')} zone={zone} />
    </Page>
  );
}
