// Input of the sign-in policy: from the form, and from the REST API.
import * as z from 'zod';
import { CONTROLS_IN_NAME, isPlainName } from '#lib/core/plain-name.ts';

const breakGlassUserIds = z.array(z.uuid()).max(20, 'Name at most 20 break-glass owners.');
const accessContact = z
  .string()
  .trim()
  .max(200, 'Use at most 200 characters.')
  .refine(isPlainName, CONTROLS_IN_NAME);

export const signInPolicySchema = z.strictObject({
  requiresIdentity: z.boolean(),
  /** Email addresses count as verified where the provider does not say whether they are. */
  trustsEmails: z.boolean(),
  breakGlassUserIds,
  accessContact,
});

export type SignInPolicyInput = z.output<typeof signInPolicySchema>;

const rules = {
  requires_identity: z.boolean().meta({
    description: 'Everybody signs in with the identity provider; passwords are for break-glass owners only.',
  }),
  trusts_emails: z.boolean().meta({
    description:
      'An email address counts as verified where the identity provider does not say whether it is. Anyone who can set an address there can sign in to the account that has it.',
  }),
  access_contact: accessContact.meta({
    description: 'Shown to people whose account may not use Patchbay.',
  }),
};

/** Every field is required, so that a missing one cannot open anything. */
export const newPolicySchema = z
  .strictObject({
    ...rules,
    break_glass_user_ids: breakGlassUserIds.meta({
      description: 'Owners of the first workspace who have a password.',
    }),
  })
  .meta({ id: 'NewSignInPolicy' });

export const policySchema = z
  .strictObject({
    provider: z
      .strictObject({
        name: z.string(),
        issuer: z.string(),
        scopes: z.string(),
        groups_claim: z.string(),
        session_hours: z.number(),
      })
      .nullable()
      .meta({ description: 'Set by the administrator of the installation; null: none is set up.' }),
    ...rules,
    owners: z
      .array(
        z.strictObject({
          user_id: z.uuid(),
          email: z.string(),
          has_password: z.boolean(),
          has_identity: z.boolean().meta({ description: 'Has signed in with the identity provider.' }),
          is_break_glass: z.boolean(),
        }),
      )
      .nullable()
      .meta({
        description: 'Of the first workspace, who alone change this; null for keys of another workspace.',
      }),
  })
  .meta({ id: 'SignInPolicy' });

export const providerCheckSchema = z
  .strictObject({
    ok: z.boolean().meta({ description: 'It answers, and names itself as the settings do.' }),
    message: z.string().meta({ description: 'What was found; where it is not ok, what is wrong.' }),
    notes: z.array(z.string()).meta({
      description: 'Features that the provider does not list as supported. They may still work.',
    }),
  })
  .meta({ id: 'IdentityProviderCheck' });

export type ProviderCheck = z.output<typeof providerCheckSchema>;

export type DescribedPolicy = z.output<typeof policySchema>;

export const changedPolicySchema = z
  .strictObject({
    ended_sessions: z.int().meta({ description: 'That were made with a password.' }),
  })
  .meta({ id: 'ChangedSignInPolicy' });
