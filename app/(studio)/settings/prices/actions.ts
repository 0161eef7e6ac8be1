'use server';
import { revalidatePath } from 'next/cache';
import { action } from '#lib/identity/auth/authorized-action.ts';
import { setMessagePrices } from '#lib/messaging/reports/prices.ts';
import { messagePricesSchema } from '#lib/messaging/schema/message-prices.ts';

export const savePrices = action('owner', messagePricesSchema, async (ctx, input) => {
  const saved = await setMessagePrices(ctx, input);
  revalidatePath('/settings/prices');
  return saved;
});
