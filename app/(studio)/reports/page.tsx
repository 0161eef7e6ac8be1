import type { Metadata } from 'next';
import { DeliveryScreen } from '#components/reports/delivery-screen.tsx';
import { Page } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';

export const metadata: Metadata = { title: 'Delivery report' };

export default async function ReportsPage() {
  const { role } = await requireMember('viewer');
  return (
    <Page>
      <DeliveryScreen canEditPrices={hasRole(role, 'owner')} />
    </Page>
  );
}
