import * as z from 'zod';
import { checkConnection } from '#lib/messaging/connections/check-connection.ts';
import { createConnection } from '#lib/messaging/connections/create-connection.ts';
import {
  deleteConnection,
  getConnection,
  listConnections,
  renameConnection,
} from '#lib/messaging/connections/connections.ts';
import { listBusinessAccounts, listPhoneNumbers } from '#lib/messaging/connections/list-accounts.ts';
import { registerPhoneNumber } from '#lib/messaging/connections/register-phone-number.ts';
import {
  accountChoiceSchema,
  businessAccountSchema,
  checkSchema,
  connectionSchema,
  newConnectionSchema,
  phoneNumberSchema,
  pinSchema,
  renameConnectionSchema,
  listedSubscriptionSchema,
  subscriptionSchema,
} from '#lib/messaging/connections/schema.ts';
import {
  listSubscriptions,
  putSubscription,
  removeSubscription,
} from '#lib/messaging/connections/workflow-subscriptions.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import {
  subscribeNotifications,
  unsubscribeNotifications,
} from '#lib/messaging/connections/subscribe-notifications.ts';
import { defineOperation } from '../operation.ts';
import { pageOf, pageQuerySchema } from '#lib/api/schemas.ts';

const tag = 'Connections';

/** A list that the platform returns completely. */
const whole = <Item>(data: Item[]) => ({ data, next_cursor: null });

export const CONNECTION_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/connections',
    id: 'listConnections',
    tag,
    scope: 'read',
    summary: 'List connections, newest first. Their tokens are never shown.',
    query: pageQuerySchema,
    response: pageOf(connectionSchema),
    handle: (ctx, { query }) => listConnections(ctx, query),
  }),
  defineOperation({
    method: 'POST',
    path: '/connections',
    id: 'createConnection',
    tag,
    scope: 'edit',
    isTool: false,
    summary:
      'Create a connection from existing tokens; subscribeNotifications lets it receive messages and statuses. In the browser, connections are created by signing in to the platform.',
    body: newConnectionSchema,
    status: 201,
    response: connectionSchema,
    errors: ['conflict'],
    handle: (ctx, { body }) => createConnection(toMessagingContext(ctx), body),
  }),
  defineOperation({
    method: 'GET',
    path: '/connections/{id}',
    id: 'getConnection',
    tag,
    scope: 'read',
    summary: 'Get a connection and its last known health.',
    response: connectionSchema,
    handle: (ctx, { params }) => getConnection(ctx, params),
  }),
  defineOperation({
    method: 'PUT',
    path: '/connections/{id}',
    id: 'renameConnection',
    tag,
    scope: 'edit',
    summary: 'Rename a connection.',
    body: renameConnectionSchema,
    response: connectionSchema,
    handle: (ctx, { params, body }) => renameConnection(ctx, { ...params, ...body }),
  }),
  defineOperation({
    method: 'DELETE',
    path: '/connections/{id}',
    id: 'deleteConnection',
    tag,
    scope: 'edit',
    summary: 'Delete a connection and its tokens immediately. Workflows that use it fail from then on.',
    status: 204,
    handle: (ctx, { params }) => deleteConnection(ctx, params),
  }),
  defineOperation({
    method: 'GET',
    path: '/connections/{id}/checks',
    id: 'checkConnection',
    tag,
    scope: 'read',
    summary: 'Check with the platform what the connection can do, and how to fix what it cannot.',
    response: pageOf(checkSchema),
    handle: async (ctx, { params }) => whole(await checkConnection(toMessagingContext(ctx), params)),
  }),
  defineOperation({
    method: 'GET',
    path: '/connections/{id}/business-accounts',
    id: 'listBusinessAccounts',
    tag,
    scope: 'read',
    summary:
      'List the business accounts that the connection can access, owned and client accounts, from the platform.',
    response: pageOf(businessAccountSchema),
    errors: ['upstream_failed'],
    handle: async (ctx, { params }) => whole(await listBusinessAccounts(toMessagingContext(ctx), params)),
  }),
  defineOperation({
    method: 'GET',
    path: '/connections/{id}/phone-numbers',
    id: 'listPhoneNumbers',
    tag,
    scope: 'read',
    summary: 'List the phone numbers of a business account with their quality rating, from the platform.',
    query: z.strictObject({
      business_account_id: z
        .string()
        .max(100)
        .optional()
        .meta({ description: "Defaults to the connection's business account." }),
    }),
    response: pageOf(phoneNumberSchema),
    errors: ['upstream_failed'],
    handle: async (ctx, { params, query }) =>
      whole(
        await listPhoneNumbers(toMessagingContext(ctx), {
          ...params,
          businessAccountId: query.business_account_id,
        }),
      ),
  }),
  defineOperation({
    method: 'POST',
    path: '/connections/{id}/phone-numbers/{phone_number_id}/register',
    id: 'registerPhoneNumber',
    tag,
    scope: 'edit',
    isTool: false,
    summary:
      'Register a phone number, so that it can send. Its PIN goes to the platform and is not stored. A wrong PIN gives 400; after ten tries in 72 hours the platform refuses all, with 429 and the time to wait.',
    body: z.strictObject({
      pin: pinSchema.meta({
        description:
          'Six digits: the PIN of its two-step verification, or the one that it is to have from now on.',
      }),
    }),
    status: 204,
    errors: ['conflict', 'rate_limited', 'upstream_failed'],
    handle: (ctx, { params, body }) =>
      registerPhoneNumber(toMessagingContext(ctx), {
        id: params.id,
        phoneNumberId: params.phone_number_id,
        ...body,
      }),
  }),
  defineOperation({
    method: 'POST',
    path: '/connections/{id}/notifications',
    id: 'subscribeNotifications',
    tag,
    scope: 'edit',
    summary:
      "Subscribe this connection to the business account's notifications. Without them, neither customers' messages and answers nor statuses arrive.",
    body: accountChoiceSchema,
    isBodyOptional: true,
    status: 204,
    errors: ['upstream_failed'],
    handle: (ctx, { params, body }) =>
      subscribeNotifications(toMessagingContext(ctx), { ...params, ...body }),
  }),
  defineOperation({
    method: 'DELETE',
    path: '/connections/{id}/notifications',
    id: 'unsubscribeNotifications',
    tag,
    scope: 'edit',
    summary: "Unsubscribe from the business account's notifications.",
    query: accountChoiceSchema,
    status: 204,
    errors: ['upstream_failed'],
    handle: (ctx, { params, query }) =>
      unsubscribeNotifications(toMessagingContext(ctx), { ...params, ...query }),
  }),
  defineOperation({
    method: 'GET',
    path: '/connections/{id}/subscriptions',
    id: 'listSubscriptions',
    tag,
    scope: 'read',
    summary: "List the workflows that the connection's notifications are forwarded to.",
    response: pageOf(listedSubscriptionSchema),
    handle: async (ctx, { params }) => whole(await listSubscriptions(ctx, params)),
  }),
  defineOperation({
    method: 'PUT',
    path: '/connections/{id}/subscriptions/{workflow_id}',
    id: 'putSubscription',
    tag,
    scope: 'edit',
    summary:
      "Forward the connection's notifications to a workflow at once: one event for each message or status. Messages that its trigger names are changed there.",
    body: subscriptionSchema.omit({ workflow_id: true }),
    status: 204,
    errors: ['conflict'],
    handle: (ctx, { params, body }) => putSubscription(ctx, { ...params, ...body }),
  }),
  defineOperation({
    method: 'DELETE',
    path: '/connections/{id}/subscriptions/{workflow_id}',
    id: 'removeSubscription',
    tag,
    scope: 'edit',
    summary:
      'Stop forwarding notifications to a workflow. It still starts on the messages that its trigger names.',
    status: 204,
    errors: ['conflict'],
    handle: (ctx, { params }) => removeSubscription(ctx, { id: params.id, workflowId: params.workflow_id }),
  }),
];
