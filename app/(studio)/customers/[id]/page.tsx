import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import { CustomerScreen } from '#components/customers/customer-screen.tsx';
import { Page } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { nullIfMissing } from '#lib/core/errors.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { readCustomerPage } from '#lib/screens/read-customers.ts';
import {
  erase,
  holdCustomer,
  previewErasing,
  recordConsent,
  releaseCustomer,
  saveAttributes,
} from './actions.ts';

export const metadata: Metadata = { title: 'Customer' };

export default async function CustomerPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await requireMember('viewer');
  const { id } = await params;
  const loaded = await readCustomerPage(ctx, id).catch(nullIfMissing);
  if (loaded === null) notFound();
  const { customer, firstPage, consent } = loaded;
  // Two customers turned out to be one.
  if (customer.id !== id) redirect(`/customers/${customer.id}`);
  const canEdit = hasRole(ctx.role, 'editor');
  const actions = { recordConsent, holdCustomer, releaseCustomer };
  return (
    <Page>
      <CustomerScreen
        key={id}
        customer={customer}
        firstPage={firstPage}
        consent={{ ...consent, canEdit, actions }}
        saveAttributes={saveAttributes}
        erasing={hasRole(ctx.role, 'owner') ? { previewErasing, erase } : null}
      />
    </Page>
  );
}
