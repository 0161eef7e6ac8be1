import { z } from 'zod';
import { SCOPE_WORDS } from './identity/scopes.ts';
import { BUSINESS_SCOPE, PRODUCT } from './product.ts';

const milliseconds = z.number().min(0).max(3_600_000);

/** What the control API may change (`POST /__sandbox/settings`); every field is optional there. */
export const settingsSchema = z.strictObject({
  /** What the real platform refuses is refused here too (README, Strict). */
  strict: z.boolean(),
  /** Milliseconds from acceptance to `sent`, from there to `delivered`, and to `read` where it comes automatically. */
  sent_after_ms: milliseconds,
  delivered_after_ms: milliseconds,
  read_after_ms: milliseconds,
  /** Every customer opens the chat at once, so that `read` follows without the phone page. */
  read_automatically: z.boolean(),
  /** Of an app that is not published, nothing but what the control API subscribed is notified. */
  app_published: z.boolean(),
  /** Calls without `appsecret_proof` are refused, as by apps that require the app secret. */
  require_app_secret: z.boolean(),
  template_review_ms: milliseconds,
  rotate_refresh_tokens: z.boolean(),
  /** The login configuration (`config_id`) and the scopes that it asks for. */
  login_config_id: z.string(),
  login_scopes: z.array(z.enum(Object.keys(SCOPE_WORDS))).min(1),
  /** What the identity provider says of an address: that it is verified, that it is not, or nothing, as Microsoft Entra ID. */
  email_verified: z.enum(['verified', 'unverified', 'unsaid']),
  /** The groups of who signs in, or only a reference to them, as Microsoft Entra ID does above 200. */
  groups: z.enum(['listed', 'referenced']),
  /** Throughput of one phone number (130429). */
  messages_per_second: z.number().positive(),
  /** Messages to one customer from one number: a burst, then one in `pair_refill_seconds` (131056). */
  pair_burst: z.number().int().positive(),
  pair_refill_seconds: z.number().positive(),
  /** Tiers and the 250 a day of unverified businesses. */
  enforce_daily_limits: z.boolean(),
  /** Management calls per account, with and without a registered number (strict: 80007). */
  management_calls_per_hour: z.number().int().positive(),
  management_calls_per_hour_unregistered: z.number().int().positive(),
  /** Outside the 24-hour window: refused at once, or accepted and failed later. Both happen in reality. */
  outside_window: z.enum(['refuse', 'fail_later']),
  /** A link is fetched before the answer, or after it (then it fails by status). */
  media_check: z.enum(['refuse', 'fail_later']),
  /** How often every notification is delivered: the platform promises at least once. */
  notification_copies: z.number().int().min(1).max(5),
  /** Changes that occur within this time go out in one POST, in reverse order. 0: each automatically. */
  notification_batch_ms: milliseconds,
  /** Pauses before the second, third, … attempt at a notification that was not answered with 2xx. */
  notification_retry_ms: z.array(milliseconds).max(20),
});

export type Settings = z.infer<typeof settingsSchema>;

/** Fast enough for tests, slow enough to be seen on the phone page. */
export const DEFAULT_SETTINGS: Settings = {
  strict: false,
  sent_after_ms: 80,
  delivered_after_ms: 200,
  read_after_ms: 200,
  read_automatically: false,
  app_published: true,
  require_app_secret: false,
  template_review_ms: 1500,
  rotate_refresh_tokens: true,
  login_config_id: '800000000000001',
  login_scopes: [BUSINESS_SCOPE, `${PRODUCT}_business_management`, `${PRODUCT}_business_messaging`],
  email_verified: 'verified',
  groups: 'listed',
  messages_per_second: 80,
  pair_burst: 45,
  pair_refill_seconds: 6,
  enforce_daily_limits: true,
  management_calls_per_hour: 5000,
  management_calls_per_hour_unregistered: 200,
  outside_window: 'refuse',
  media_check: 'refuse',
  notification_copies: 1,
  notification_batch_ms: 0,
  notification_retry_ms: [500, 1000, 2000, 5000, 15_000, 60_000],
};

/**
 * Whether the sandbox refuses what the real platform refuses beyond the spec (README, Strict). The one place that reads the
 * setting: everything that depends on it asks here.
 */
export const isStrict = ({ settings }: { settings: Pick<Settings, 'strict'> }): boolean => settings.strict;
