import type { Metadata } from 'next';
import { ConsentForm } from '#components/settings/consent-form.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { getConsentSettings } from '#lib/messaging/consent/consent-settings.ts';
import { CONSENT_DEFAULTS } from '#lib/messaging/consent/consent-words.ts';
import { saveConsentSettings } from './actions.ts';

export const metadata: Metadata = { title: 'Consent' };

export default async function ConsentPage() {
  const ctx = await requireMember('owner');
  const saved = await getConsentSettings(ctx);
  return (
    <ConsentForm
      key={JSON.stringify(saved)}
      saved={saved}
      defaults={CONSENT_DEFAULTS}
      save={saveConsentSettings}
    />
  );
}
