// The one address to which the platform sends what concerns all accounts of the app.
import { verifyTokenOf } from '#lib/messaging/connections/sealing.ts';

/** What the app's receiver understands, by the platform's names: of these an account's own callback gets the first two only. */
export const APP_FIELDS = [
  'messages',
  'smb_message_echoes',
  'user_preferences',
  'message_template_status_update',
  'message_template_quality_update',
  'template_category_update',
  'phone_number_quality_update',
  'phone_number_name_update',
  'business_capability_update',
  'account_update',
  'account_alerts',
  'account_review_update',
  'security',
] as const;

export const appReceiverUrl = ({ baseUrl }: { baseUrl: string }): string => `${baseUrl}/hooks/messaging`;

/** `hub.verify_token` of the app's receiver: the same in all processes, and known to nobody who has no app secret. */
export const appVerifyToken = (appSecret: string): string => verifyTokenOf(appSecret);
