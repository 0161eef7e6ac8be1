import * as z from 'zod';
import { notifyQuality } from '../delivery/notifications.ts';
import {
  releaseHeld,
  setTemplateCategory,
  setTemplateStatus,
  setUpcomingCategory,
} from '../delivery/review.ts';
import { BadRequest } from '../http/exchange.ts';
import { newObjectId } from '../ids.ts';
import { type ControlRoutes, readControl } from './control-routes.ts';

const accountSchema = z.strictObject({
  has_payment_method: z.boolean().optional(),
  /** The error code for its messages, null: none. */
  restriction: z.number().int().nullable().optional(),
  /** Applies to the business that owns the account. */
  business_verified: z.boolean().optional(),
  other_apps: z
    .array(
      z.strictObject({
        id: z.string().default(() => newObjectId()),
        name: z.string(),
        callback_url: z.string().nullable().default(null),
      }),
    )
    .optional(),
});

const phoneSchema = z.strictObject({
  quality_rating: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']).optional(),
  messaging_limit_tier: z.enum(['TIER_250', 'TIER_1K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED']).optional(),
  throughput: z.enum(['STANDARD', 'HIGH']).optional(),
  connected: z.boolean().optional(),
  status: z.enum(['CONNECTED', 'PENDING', 'DISCONNECTED']).optional(),
  pin: z
    .string()
    .regex(/^\d{6}$/, 'must be six digits')
    .nullable()
    .optional(),
});

/** Business accounts and their phone numbers. */
export const accountRoutes: ControlRoutes = {
  'POST accounts/:id': ({ world, id, body }) => {
    const account = world.accounts.get(id);
    if (!account) throw new BadRequest(`There is no account with the id ${id}.`, 404);
    const input = readControl(accountSchema, body);
    const { has_payment_method: hasPaymentMethod, restriction, other_apps: others } = input;
    account.hasPaymentMethod = hasPaymentMethod ?? account.hasPaymentMethod;
    const owner = world.businesses.get(account.ownerBusinessId);
    if (owner) owner.verified = input.business_verified ?? owner.verified;
    if (restriction !== undefined) account.restriction = restriction;
    if (others)
      account.otherApps = others.map(({ callback_url: callbackUrl, ...app }) => ({ ...app, callbackUrl }));
    return account;
  },
  'POST phone-numbers/:id': ({ world, id, body }) => {
    const phone = world.phones.get(id);
    if (!phone) throw new BadRequest(`There is no phone number with the id ${id}.`, 404);
    const input = readControl(phoneSchema, body);
    const { quality_rating: quality, messaging_limit_tier: tier, connected } = input;
    const before = phone.qualityRating;
    phone.qualityRating = quality ?? before;
    phone.tier = tier ?? phone.tier;
    phone.throughput = input.throughput ?? phone.throughput;
    if (connected !== undefined) phone.status = connected ? 'CONNECTED' : 'DISCONNECTED';
    phone.status = input.status ?? phone.status;
    if (input.pin !== undefined) phone.pin = input.pin;
    if (quality !== undefined || tier !== undefined) notifyQuality(world, phone, before);
    return phone;
  },
};

const templateSchema = z.strictObject({
  status: z.enum(['APPROVED', 'PENDING', 'REJECTED', 'DISABLED', 'PAUSED']).optional(),
  reason: z.string().default('NONE'),
  category: z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']).optional(),
  upcoming_category: z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']).optional(),
  pacing: z.enum(['held_for_quality_assessment', 'paused']).nullable().optional(),
});

/** Decisions of the platform about message templates. */
export const templateRoutes: ControlRoutes = {
  'POST templates/:id': ({ world, id, body }) => {
    const template = world.templates.get(id);
    if (!template) throw new BadRequest(`There is no template with the id ${id}.`, 404);
    const {
      status,
      reason,
      category,
      upcoming_category: upcoming,
      pacing,
    } = readControl(templateSchema, body);
    if ([status, category, upcoming, pacing].every((each) => each === undefined))
      throw new BadRequest('body: one of status, category, upcoming_category, pacing is required');
    if (pacing) template.pacing = pacing;
    if (status !== undefined) setTemplateStatus(world, template, status, reason);
    if (category !== undefined) setTemplateCategory(world, template, category);
    if (upcoming !== undefined) setUpcomingCategory(world, template, upcoming);
    if (pacing === null) {
      delete template.pacing;
      releaseHeld(world, template);
    }
    return template;
  },
};
