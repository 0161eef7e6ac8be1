import * as z from 'zod';
import { SCOPE_WORDS } from './identity/scopes.ts';
import { BUSINESS_SCOPE, PRODUCT } from './product.ts';

const milliseconds = z.number().min(0).max(3_600_000);

/** Settings for the control API (`POST /__sandbox/settings`), where every field is optional. */
export const settingsSchema = z.strictObject({
  /** Refuses what the real platform refuses (README, Strict). */
  strict: z.boolean(),
  /** Milliseconds from acceptance to `sent`, from there to `delivered`, and to `read` where it is automatic. */
  sent_after_ms: milliseconds,
  delivered_after_ms: milliseconds,
  read_after_ms: milliseconds,
  /** Every customer opens the chat immediately, so that `read` follows without the phone page. */
  read_automatically: z.boolean(),
  /** False: for an unpublished app, only subscriptions of the control API are notified. */
  app_published: z.boolean(),
  /** Refuses calls without `appsecret_proof`, like apps that require the app secret. */
  require_app_secret: z.boolean(),
  template_review_ms: milliseconds,
  rotate_refresh_tokens: z.boolean(),
  /** The login configuration (`config_id`) and its scopes. */
  login_config_id: z.string(),
  login_scopes: z.array(z.enum(Object.keys(SCOPE_WORDS))).min(1),
  /** The identity provider's claim about an address: verified, not verified, or none, as with Microsoft Entra ID. */
  email_verified: z.enum(['verified', 'unverified', 'unsaid']),
  /** The groups of the user, or only a reference to them, as with Microsoft Entra ID above 200. */
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
  /** Outside the 24-hour window: refused immediately, or accepted and failed later. The real platform does both. */
  outside_window: z.enum(['refuse', 'fail_later']),
  /** A link is fetched before the response, or after it (then a failure is a status). */
  media_check: z.enum(['refuse', 'fail_later']),
  /** Number of deliveries of every notification: the platform guarantees at least one. */
  notification_copies: z.number().int().min(1).max(5),
  /** Changes within this time are sent in one POST, in reverse order. 0: each separately. */
  notification_batch_ms: milliseconds,
  /** Delays before the second, third, … attempt of a notification without a 2xx response. */
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
 * Whether the sandbox refuses what the real platform refuses beyond the spec (README, Strict). The only code that reads the
 * setting.
 */
export const isStrict = ({ settings }: { settings: Pick<Settings, 'strict'> }): boolean => settings.strict;
