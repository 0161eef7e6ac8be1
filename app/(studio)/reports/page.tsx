import type { Metadata } from 'next';
import { DeliveryScreen } from '#components/reports/delivery-screen.tsx';
import { Page } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';

export const metadata: Metadata = { title: 'Delivery report' };

export default async function ReportsPage() {
  await requireMember('viewer');
  return (
    <Page>
      <DeliveryScreen />
    </Page>
  );
}
