'use server';
import { revalidatePath } from 'next/cache';
import { action } from '#lib/identity/auth/authorized-action.ts';
import { setConsentSettings } from '#lib/messaging/consent/consent-settings.ts';
import { consentSettingsSchema } from '#lib/messaging/consent/schema.ts';

export const saveConsentSettings = action('owner', consentSettingsSchema, async (ctx, input) => {
  const saved = await setConsentSettings(ctx, input);
  revalidatePath('/settings/consent');
  return saved;
});
