import type { Metadata } from 'next';
import { CustomersScreen } from '#components/customers/customers-screen.tsx';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hidesNumbersFrom } from '#lib/messaging/mask.ts';
import { customerFilterSchema, readCustomers, toCustomerInput } from '#lib/screens/read-customers.ts';

export const metadata: Metadata = { title: 'Customers' };

export default async function CustomersPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const ctx = await requireMember('viewer');
  const filter = customerFilterSchema.parse({ ...(await searchParams), cursor: undefined });
  const firstPage = await readCustomers(ctx, toCustomerInput(filter), { isList: true });
  return (
    <Page>
      <PageHeader
        title="Customers"
        description="Everyone who wrote to your numbers or got a message, newest activity first."
      />
      <CustomersScreen firstPage={firstPage} hidesNumbers={hidesNumbersFrom(ctx)} />
    </Page>
  );
}
