import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { CustomerScreen } from '#components/customers/customer-screen.tsx';
import { Page } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { AppError } from '#lib/core/errors.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { readConsentOf, readCustomer, readTimelinePage } from '#lib/screens/read-customers.ts';
import { erase, holdCustomer, previewErasing, recordConsent, releaseCustomer } from './actions.ts';

export const metadata: Metadata = { title: 'Customer' };

export default async function CustomerPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await requireMember('viewer');
  const { id } = await params;
  const loaded = await Promise.all([
    readCustomer(ctx, id),
    readTimelinePage(ctx, id),
    readConsentOf(ctx, id),
  ]).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  });
  if (loaded === null) notFound();
  const [customer, firstPage, consent] = loaded;
  const canEdit = hasRole(ctx.role, 'editor');
  const actions = { recordConsent, holdCustomer, releaseCustomer };
  return (
    <Page>
      <CustomerScreen
        key={id}
        customer={customer}
        firstPage={firstPage}
        consent={{ ...consent, canEdit, actions }}
        erasing={hasRole(ctx.role, 'owner') ? { previewErasing, erase } : null}
      />
    </Page>
  );
}
