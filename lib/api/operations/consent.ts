import { getConsentSettings, setConsentSettings } from '#lib/messaging/consent/consent-settings.ts';
import { getConsent, setConsent } from '#lib/messaging/consent/consents.ts';
import { getHold, releaseHold, setHold } from '#lib/messaging/consent/holds.ts';
import {
  type Consent,
  consentSchema,
  consentSettingsSchema,
  type CustomerHold,
  holdSchema,
  newConsentSchema,
  newConsentSettingsSchema,
  newHoldSchema,
} from '#lib/messaging/consent/schema.ts';
import { maskWithin } from '#lib/screens/run-mask.ts';
import { defineOperation } from '../operation.ts';

const tag = 'Customers';

/** Names and evidence, which may have what the customer wrote. */
const maskConsent = (consent: Consent, clean: (text: string) => string): Consent => ({
  ...consent,
  names: consent.names.map(clean),
  marketing: maskWithin(consent.marketing, clean),
  all: maskWithin(consent.all, clean),
  history: consent.history.map((change) => maskWithin(change, clean)),
});

const maskHold = (hold: CustomerHold, clean: (text: string) => string): CustomerHold => ({
  ...hold,
  names: hold.names.map(clean),
  hold: maskWithin(hold.hold, clean),
});

export const CONSENT_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/customers/{id}/consent',
    id: 'getConsent',
    tag,
    scope: 'read',
    summary:
      'Get the consent of a customer with its history. `id`: the ID of the customer, or a number with its country code.',
    response: consentSchema,
    maskForViewers: maskConsent,
    handle: (ctx, { params }) => getConsent(ctx, params),
  }),
  defineOperation({
    method: 'PUT',
    path: '/customers/{id}/consent',
    id: 'setConsent',
    tag,
    scope: 'edit',
    summary:
      'Record that a customer, who may be new, agreed to messages or stopped them. After a stop, none of that kind is sent.',
    body: newConsentSchema,
    response: consentSchema,
    handle: (ctx, { params, body }) => setConsent(ctx, { ...params, ...body }),
  }),
  defineOperation({
    method: 'GET',
    path: '/customers/{id}/hold',
    id: 'getCustomerHold',
    tag,
    scope: 'read',
    summary: 'Get whether a customer is on hold, so that no workflow sends to them.',
    response: holdSchema,
    maskForViewers: maskHold,
    handle: (ctx, { params }) => getHold(ctx, params),
  }),
  defineOperation({
    method: 'PUT',
    path: '/customers/{id}/hold',
    id: 'setCustomerHold',
    tag,
    scope: 'edit',
    summary: 'Put a customer on hold: no workflow sends to them until it ends or is released.',
    body: newHoldSchema,
    isBodyOptional: true,
    response: holdSchema,
    handle: (ctx, { params, body }) => setHold(ctx, { ...params, ...body }),
  }),
  defineOperation({
    method: 'DELETE',
    path: '/customers/{id}/hold',
    id: 'releaseCustomerHold',
    tag,
    scope: 'edit',
    summary: 'Release a customer from a hold, so that workflows send to them again.',
    status: 204,
    handle: (ctx, { params }) => releaseHold(ctx, params),
  }),
  defineOperation({
    method: 'GET',
    path: '/workspace/consent',
    id: 'getConsentSettings',
    tag,
    scope: 'read',
    summary:
      'Get the words with which customers stop messages and allow them again, and what puts customers on hold.',
    response: consentSettingsSchema,
    handle: (ctx) => getConsentSettings(ctx),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workspace/consent',
    id: 'setConsentSettings',
    tag,
    scope: 'admin',
    summary:
      'Set the words with which customers stop messages and allow them again, and what puts customers on hold.',
    body: newConsentSettingsSchema,
    response: consentSettingsSchema,
    handle: (ctx, { body }) => setConsentSettings(ctx, body),
  }),
];
