'use server';
import * as z from 'zod';
import { action } from '#lib/identity/auth/authorized-action.ts';
import { setAttributes } from '#lib/messaging/attributes/attributes.ts';
import { newAttributesSchema } from '#lib/messaging/attributes/schema.ts';
import { setConsent } from '#lib/messaging/consent/consents.ts';
import { releaseHold, setHold } from '#lib/messaging/consent/holds.ts';
import { newHoldSchema } from '#lib/messaging/consent/schema.ts';
import { CONSENT_PURPOSES, CONSENT_STATES } from '#lib/messaging/schema/consent-types.ts';
import { eraseCustomer, previewErasure } from '#lib/workflows/erasure/erase-customer.ts';

const customerSchema = z.strictObject({ id: z.string().max(200) });

/** Records that a customer agreed to messages or stopped them. */
export const recordConsent = action(
  'editor',
  customerSchema.extend({ purpose: z.enum(CONSENT_PURPOSES), state: z.enum(CONSENT_STATES) }),
  async (ctx, input) => void (await setConsent(ctx, { ...input, source: 'api' })),
);

/** Puts a customer on hold: no workflow sends to them. */
export const holdCustomer = action(
  'editor',
  newHoldSchema.extend(customerSchema.shape),
  async (ctx, input) => void (await setHold(ctx, input)),
);

export const releaseCustomer = action('editor', customerSchema, releaseHold);

/** Sets and removes what is remembered of a customer. */
export const saveAttributes = action(
  'editor',
  newAttributesSchema.extend(customerSchema.shape),
  async (ctx, input) => void (await setAttributes(ctx, input)),
);

/** What an erasure of the customer would remove, by kind. */
export const previewErasing = action('owner', customerSchema, previewErasure);

/** Erases everything that is stored of a customer. */
export const erase = action('owner', customerSchema, eraseCustomer);
