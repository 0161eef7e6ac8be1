import type { Metadata } from 'next';
import { PricesForm } from '#components/settings/prices-form.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { getMessagePrices } from '#lib/messaging/reports/prices.ts';
import { savePrices } from '../actions.ts';

export const metadata: Metadata = { title: 'Prices' };

export default async function PricesPage() {
  const ctx = await requireMember('owner');
  const saved = await getMessagePrices(ctx);
  return <PricesForm key={JSON.stringify(saved)} saved={saved} save={savePrices} />;
}
