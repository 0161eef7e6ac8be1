// Connections for the API and the screens: tokens can be entered, but are never returned.
import * as z from 'zod';
import { CONTROLS_IN_NAME, hasNoNul, isPlainName, NUL_IN_TEXT } from '#lib/core/plain-name.ts';
import { MESSAGE_KINDS, SUBSCRIPTION_KINDS } from '#lib/messaging/schema/subscription-kinds.ts';

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(200, 'At most 200 characters.')
  .refine(isPlainName, CONTROLS_IN_NAME);
export const tokenSchema = z
  .string()
  .trim()
  .min(1, 'Enter a token.')
  .max(8192)
  .refine((text) => !/[\s\0]/.test(text), 'A token has no spaces or line breaks.');
export const objectIdSchema = z
  .string()
  .trim()
  .regex(/^[\w.-]{1,100}$/, 'A platform ID, usually digits only.');

export const newConnectionSchema = z
  .strictObject({
    name,
    access_token: tokenSchema.meta({ description: 'Stored encrypted and never shown again.' }),
    refresh_token: tokenSchema
      .optional()
      .meta({ description: 'Without one, the connection expires with its access token.' }),
    expires_in: z.int().min(1).max(315_360_000).optional().meta({
      description:
        'Seconds until the access token expires. Default: what the platform says, otherwise 30 minutes with a refresh token and never without. Without a refresh token, what the platform says comes first.',
    }),
    business_account_id: objectIdSchema.optional().meta({
      description:
        'The business account of the connection. Each business account has at most one connection.',
    }),
  })
  .meta({ id: 'NewConnection' });

/** For a connection without a business account, or for another account. */
export const accountChoiceSchema = z.strictObject({
  business_account_id: objectIdSchema
    .optional()
    .meta({ description: "Defaults to the connection's business account." }),
});

export type AccountChoice = z.output<typeof accountChoiceSchema>;

export const renameConnectionSchema = z.strictObject({ name });

const CONNECTION_STATUSES = ['connected', 'expires_soon', 'needs_reconnecting'] as const;

export const connectionSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    business_account_id: z.string().nullable(),
    business_account_name: z.string().nullable(),
    status: z.enum(CONNECTION_STATUSES),
    status_reason: z.string().nullable().meta({ description: 'Why it needs attention, and what to do.' }),
    scopes: z.array(z.string()),
    refreshes_itself: z.boolean().meta({ description: 'Whether it has a refresh token.' }),
    ends_at: z
      .string()
      .nullable()
      .meta({ description: 'When it expires unless it is reconnected; null: it does not expire.' }),
    checked_at: z
      .string()
      .nullable()
      .meta({ description: 'When the platform last said what the connection can do.' }),
    check_problem: z
      .string()
      .nullable()
      .meta({ description: 'Why the last check got no answer; null: it did.' }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Connection' });

export const businessAccountSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    business_name: z.string().nullable(),
    relation: z.enum(['owned', 'client', 'granted']),
  })
  .meta({ id: 'BusinessAccount' });

export const phoneNumberSchema = z
  .strictObject({
    id: z.string(),
    display_phone_number: z.string(),
    verified_name: z.string(),
    quality_rating: z
      .string()
      .meta({ description: 'GREEN (high quality), YELLOW (medium), RED (low) or UNKNOWN.' }),
    messaging_limit_tier: z.string().nullable().meta({
      description:
        'How many customers the number may start a conversation with in a day, such as TIER_1K for 1,000. Null: the platform does not return it; then portfolio_messaging_limit counts.',
    }),
    portfolio_messaging_limit: z.string().nullable().meta({
      description:
        'The same for all numbers of the business portfolio together, such as TIER_2K; null: the platform does not return it.',
    }),
    customers_in_24_hours: z.int().meta({
      description:
        'How many customers count against the limit: those to whom this workspace sent a message template in the last 24 hours while their 24-hour window was closed. Of this number if it has its own limit, otherwise of all numbers of the business portfolio together.',
    }),
    messages_per_second: z.number().meta({
      description:
        'How many messages a second Patchbay sends from it at most: by the throughput level that the platform returns, and by the setting MESSAGING_MESSAGES_PER_SECOND.',
    }),
    status: z.string().nullable().meta({
      description: 'CONNECTED: it is registered and can send. PENDING or DISCONNECTED: register it first.',
    }),
  })
  .meta({ id: 'PhoneNumber' });

/** Of a number's two-step verification. */
export const pinSchema = z
  .string()
  .trim()
  .regex(/^\d{6}$/, 'Enter the six digits of the PIN.');

export const subscriptionSchema = z
  .strictObject({
    workflow_id: z.string(),
    kinds: z.array(z.enum(SUBSCRIPTION_KINDS)).min(1, 'Select what to forward.'),
    phone_number_id: objectIdSchema
      .nullable()
      .default(null)
      .meta({ description: 'Only notifications of this phone number.' }),
    message_kinds: z
      .array(z.enum(MESSAGE_KINDS))
      .max(MESSAGE_KINDS.length)
      .default([])
      .meta({ description: 'Only messages of these kinds; empty: messages of every kind.' }),
    words: z
      .array(
        z
          .string()
          .trim()
          .min(1, 'Enter a word.')
          .max(100, 'At most 100 characters.')
          .refine(hasNoNul, NUL_IN_TEXT),
      )
      .max(50, 'At most 50 words.')
      .default([])
      .meta({
        description:
          'Only messages that contain one of these words, in upper or lower case; empty: whatever they say.',
      }),
  })
  .meta({ id: 'ConnectionSubscription' });

export const listedSubscriptionSchema = subscriptionSchema
  .extend({
    messages_by_trigger: z.boolean().meta({
      description:
        'Whether the trigger of the workflow names the messages. They are changed there, by publishing, and not here.',
    }),
  })
  .meta({ id: 'ListedConnectionSubscription' });

export const checkSchema = z
  .strictObject({
    id: z.enum(['token', 'scopes', 'accounts', 'numbers', 'sending', 'notifications']),
    result: z.enum(['ok', 'warning', 'failed']),
    what: z.string().meta({ description: 'What was found.' }),
    fix: z.string().nullable().meta({ description: 'What to do; null when all is well.' }),
  })
  .meta({ id: 'ConnectionCheck' });

export type Check = z.infer<typeof checkSchema>;
export type NewConnection = z.input<typeof newConnectionSchema>;
export type Connection = z.infer<typeof connectionSchema>;
export type ConnectionStatus = Connection['status'];
export type BusinessAccountView = z.infer<typeof businessAccountSchema>;
export type PhoneNumberView = z.infer<typeof phoneNumberSchema>;

/** The owner of a token, for screens. */
export interface TokenView {
  /** Null where the platform does not return it. */
  app: string | null;
  holder: { kind: 'system_user' | 'person'; name: string | null };
  scopes: string[];
  /** Null: it does not expire. */
  endsAt: string | null;
  /** The accounts that the platform lists; the token may also have access to others. */
  accounts: BusinessAccountView[];
}

export type ConnectionSubscription = z.output<typeof subscriptionSchema>;
export type ListedSubscription = z.output<typeof listedSubscriptionSchema>;
export type SubscriptionInput = z.input<typeof subscriptionSchema>;
