import type { BusinessAccount, PhoneNumber } from '#lib/messaging/platform/discovery.ts';
import type { BusinessAccountView, PhoneNumberView } from './schema.ts';

export const toAccountView = ({
  id,
  name,
  businessName,
  relation,
}: BusinessAccount): BusinessAccountView => ({
  id,
  name,
  business_name: businessName,
  relation,
});

export const toPhoneView = (phone: PhoneNumber): PhoneNumberView => ({
  id: phone.id,
  display_phone_number: phone.displayPhoneNumber,
  verified_name: phone.verifiedName,
  quality_rating: phone.qualityRating,
  messaging_limit_tier: phone.tier,
  portfolio_messaging_limit: phone.portfolioTier,
  status: phone.status,
});
